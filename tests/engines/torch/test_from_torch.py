"""`from_torch`: PyTorch's functions inside programs that our engine differentiates."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch

import chainrules as cr
from chainrules.testing import check_grads

X = np.array([0.3, -0.8, 1.5])
A = np.array([[2.0, 0.3, -0.1], [0.1, 1.5, 0.2], [0.4, -0.3, 1.0]])

softplus, inv, eigh = map(cr.from_torch, (torch.nn.functional.softplus, torch.linalg.inv, torch.linalg.eigh))


@dataclass
class Pair:
    a: Any
    b: Any


def test_both_modes_to_second_order():
    check_grads(lambda x: np.sum(softplus(2 * x) * x), X)
    check_grads(lambda A, x: np.sin(inv(A) @ x), A, X)


def test_several_outputs_and_containers():
    both = cr.from_torch(
        lambda d, n: {"y": d["p"].a * d["l"][0] ** n, "s": (d["p"].b.sum(), d["p"].a.argsort())}
    )

    def program(x, y):
        out = both({"p": Pair(x, y * y), "l": [y]}, 2)
        return np.sum(out["y"]) * out["s"][0] + out["y"][0]

    check_grads(program, X, X + 1, order=1)
    assert both({"p": Pair(X, X), "l": [X]}, 2)["s"][1].tolist() == [1, 0, 2]
    check_grads(lambda A: np.sum(eigh(A + A.T)[0] ** 3), A, order=1)


def test_complex_numbers():
    check_grads(lambda z: np.sum(np.abs(cr.from_torch(lambda z: z * z)(z))), X + 0.5j, order=1)


def test_keywords_constants_and_kinds():
    total = cr.from_torch(torch.sum)
    check_grads(lambda A: total(A, dim=0) * X, A, order=1)
    taken = cr.from_torch(lambda x, i: x[i])
    np.testing.assert_array_equal(cr.grad(lambda x: np.sum(taken(x, np.array([0, 0]))))(X), [2.0, 0.0, 0.0])
    y = softplus(X.astype(np.float32))
    assert type(y) is np.ndarray and y.dtype == np.float32 and y.flags.writeable
    assert isinstance(softplus(0.5), float)


def test_modules_and_their_parameters():
    module = torch.nn.Linear(3, 2, dtype=torch.float64)
    weights = {name: p.detach().numpy() for name, p in module.named_parameters()}
    call = cr.from_torch(lambda weights, x: torch.func.functional_call(module, weights, (x,)))
    found = cr.grad(lambda weights, x: np.sum(call(weights, x) ** 2), argnums=(0, 1))(weights, X)
    y = module(torch.from_numpy(X))
    (y**2).sum().backward()
    np.testing.assert_allclose(found[0]["weight"], module.weight.grad)
    np.testing.assert_allclose(found[1], 2 * y.detach().numpy() @ weights["weight"])
    np.testing.assert_allclose(cr.from_torch(module)(X), y.detach())


def test_the_round_trip():
    back = cr.to_torch(lambda x: softplus(x) * x)
    x = torch.tensor(X, requires_grad=True)
    assert torch.autograd.gradcheck(back, x)
    assert torch.autograd.gradgradcheck(back, x)


def test_a_value_that_is_no_tensor_is_refused():
    with pytest.raises(cr.UnsupportedArgument, match="neither an array"):
        cr.from_torch(lambda x: float(x.sum()))(X)


def test_a_function_that_writes_into_its_arguments_is_refused():
    written = cr.from_torch(lambda x: x.mul_(x).sum())
    for operator in (lambda: written(X.copy()), lambda: cr.jvp(written, (X.copy(),), (X,))):
        with pytest.raises(cr.AliasedMutationError, match="writes into its arguments"):
            operator()


def test_the_tape_calls_them_by_their_rule():
    check_grads(lambda x: np.sum(softplus(2 * x) * x), X, engine="tape")
