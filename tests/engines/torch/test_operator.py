"""`to_torch`: orders and modes against PyTorch's own functions, and by its own checks."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from tests.engines.adapted import counted, squared_in_place, squared_unseen
from torch import func

import chainrules as cr

F64 = torch.float64
A = torch.tensor([[2.0, 0.3, -0.1], [0.1, 1.5, 0.2], [0.4, -0.3, 1.0]], dtype=F64)
B = torch.tensor([0.5, -1.0, 2.0], dtype=F64)
SAMPLES = torch.linspace(-1, 1, 12, dtype=F64).reshape(4, 3)

solve = cr.to_torch(np.linalg.solve)


def own(A, b):
    return (torch.linalg.inv(A) @ b).pow(2).sum()  # PyTorch's solve is wrong in nested forward mode


def ours(A, b):
    return solve(A, b).pow(2).sum()


def tracked(*x):
    return tuple(t.clone().requires_grad_() for t in x)


def same(u, v):
    torch.testing.assert_close(u, v, rtol=1e-9, atol=1e-11)


def test_backward_and_its_derivatives():
    sines = cr.to_torch(np.sin)
    for order, f, total in (
        (2, ours, own),
        (3, lambda A, b: sines(A @ b).sum(), lambda A, b: (A @ b).sin().sum()),
    ):
        found = []
        for g in (f, total):
            x = tracked(A, B)
            first = torch.autograd.grad(g(*x), x, create_graph=True)
            second = torch.autograd.grad(sum(t.pow(2).sum() for t in first), x, create_graph=order == 3)
            found.append([*first, *second])
            if order == 3:
                found[-1] += torch.autograd.grad(sum(t.sin().sum() for t in second), x)
        same(*found)


def test_pytorchs_own_checks():
    x = tracked(A, B)
    assert torch.autograd.gradcheck(solve, x, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(solve, x, check_fwd_over_rev=True, check_rev_over_rev=True)


@pytest.mark.parametrize(
    "of",
    [
        lambda f: func.grad(f, (0, 1))(A, B),
        lambda f: func.jvp(f, (A, B), (A.T, B + 1))[1],
        lambda f: func.vjp(f, A, B)[1](torch.tensor(2.0, dtype=F64)),
        lambda f: func.jacrev(f, (0, 1))(A, B),
        lambda f: func.jacfwd(f, (0, 1))(A, B),
        lambda f: func.hessian(f, (0, 1))(A, B),
        lambda f: func.jacrev(func.jacrev(f))(A, B),
        lambda f: func.jacfwd(func.jacfwd(f))(A, B),
        lambda f: func.jacrev(func.jacfwd(f, 1))(A, B),
        lambda f: torch.vmap(f, (None, 0))(A, SAMPLES),
        lambda f: torch.vmap(func.grad(f, 1), (None, 0))(A, SAMPLES),
        lambda f: func.grad(lambda A: torch.vmap(f, (None, 0))(A, SAMPLES).sum())(A),
        lambda f: torch.vmap(func.jacfwd(func.grad(f, 1), 1), (None, 0))(A, SAMPLES),
    ],
)
def test_transformations(of):
    same(of(ours), of(own))


def test_vmap_then_backward():
    found = []
    for f in (ours, own):
        (a,) = tracked(A)
        torch.vmap(f, (None, 0))(a, SAMPLES).sum().backward()
        found.append(a.grad)
    same(*found)


def test_forward_mode_by_dual_tensors():
    ad = torch.autograd.forward_ad
    with ad.dual_level():
        y = solve(ad.make_dual(A, A.T), B)
        assert ad.unpack_dual(cr.to_torch(np.argsort)(ad.make_dual(B, B))).tangent is None
        dy = ad.unpack_dual(y).tangent
    same(dy, func.jvp(torch.linalg.solve, (A, B), (A.T, 0 * B))[1])


def test_a_write_into_a_tensor_is_refused():
    (tracking,), x = tracked(B), B.clone()
    squares, unseen = cr.to_torch(squared_in_place), cr.to_torch(squared_unseen)
    for doing in (
        lambda: squares(tracking),
        lambda: squares(x),
        lambda: func.jvp(squares, (x,), (B,)),
        lambda: unseen(x),
    ):
        with pytest.raises(cr.AliasedMutationError, match="writes into an array"):
            doing()
    same(x, B)


class Batches:
    def __init__(self):
        self.i, self.x = 0, [0.0, 1.0, 2.0]

    def next(self):
        b = self.x[self.i]
        self.i += 1
        return b


def batch_loss(w, d):
    return (w - d.next()) ** 2


@pytest.mark.parametrize("captured", [False, True])
@pytest.mark.parametrize("mode", ["backward", "grad", "jvp", "hessian"])
def test_effects_happen_once(mode, captured):
    d, w = Batches(), torch.zeros((), dtype=F64)
    f = cr.to_torch((lambda w: batch_loss(w, d)) if captured else batch_loss)
    args = () if captured else (d,)
    found = []
    for _ in range(3):
        if mode == "backward":
            (tracking,) = tracked(w)
            f(tracking, *args).backward()
            found.append(float(tracking.grad))
        elif mode == "grad":
            found.append(float(func.grad(lambda w: f(w, *args))(w)))
        elif mode == "jvp":
            found.append(float(func.jvp(lambda w: f(w, *args), (w,), (torch.ones_like(w),))[1]))
        else:
            found.append(float(func.hessian(lambda w: f(w, *args))(w)))
    assert found == ([2.0] * 3 if mode == "hessian" else [0.0, -2.0, -4.0])
    assert d.i == 3


def test_what_is_not_needed_is_not_computed():
    scaled, asked = counted()
    f = cr.to_torch(scaled)
    (b,) = tracked(B)
    f(B, b).sum().backward()
    same(b.grad, B)
    assert asked == [(False, True)]
    with torch.no_grad():
        assert not f(B, b).requires_grad
    torch.autograd.grad(f(B, b).sum(), b, create_graph=True)
    assert set(asked) == {(False, True)}


def address(array):
    return array.__array_interface__["data"][0]


def test_no_copies():
    seen: list[int] = []

    def look(x):
        return x * 2

    @cr.rrule(look)
    def look_rrule(x: np.ndarray):
        def look_pullback(y_bar):
            seen.append(address(y_bar))
            return np.full(x.shape, 2.0)

        seen.append(address(x))
        return x * 2, look_pullback

    x, seed = torch.ones(1000, dtype=F64, requires_grad=True), torch.ones(1000, dtype=F64)
    cr.to_torch(look)(x).backward(seed)
    assert seen == [x.data_ptr(), seed.data_ptr()]

    made = np.zeros(3)
    y = cr.to_torch(lambda x: made)(x)
    assert y.data_ptr() == address(made)


def test_values_and_gradients_are_memory_of_their_own():
    (x,) = tracked(A)
    y = cr.to_torch(np.transpose)(x)
    assert y.data_ptr() != x.data_ptr()
    u, v = tracked(B, B)
    cr.to_torch(np.add)(u, v).sum().backward()
    u.grad.zero_()
    same(v.grad, torch.ones_like(B))


def scaled(x):
    return np.sum(x * x)


@cr.rrule(scaled)
def scaled_rrule(x: np.ndarray):
    partial = 2.0 * x
    return np.sum(x * x), lambda y_bar: partial if y_bar == 1.0 else y_bar * partial


def test_a_gradient_is_not_added_to_what_a_rule_keeps():
    (b,) = tracked(B)
    y = cr.to_torch(scaled)(b)
    for k in (1.0, 2.0, 3.0):
        y.backward(retain_graph=True)
        same(b.grad, 2.0 * k * B)


def test_a_change_in_place_is_pytorchs_error():
    (b,) = tracked(B)
    y = cr.to_torch(np.exp)(b)
    with torch.no_grad():
        y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@dataclass
class Layer:
    weight: Any
    bias: Any
    name: str = "first"


def affine(layers, x, *, power=1):
    for layer in layers:
        x = np.tanh(layer.weight @ x + layer.bias)
    return {"y": x**power, "parts": (np.sum(x), len(layers), "done")}


def test_structures_and_keywords():
    w, c, x = tracked(A, B, B)
    y = cr.to_torch(affine)([Layer(w, c), Layer(A, 0.5)], x, power=3)
    inner = torch.tanh(A @ torch.tanh(w @ x + c) + 0.5)
    same(y["y"], inner**3)
    assert y["parts"][1:] == (2, "done")
    found = torch.autograd.grad(y["y"].sum() + y["parts"][0], (w, c, x))
    same(found, torch.autograd.grad((inner**3).sum() + inner.sum(), (w, c, x)))


def test_several_outputs_integers_and_unused_ones():
    (a,) = tracked(A)
    result = cr.to_torch(np.linalg.svd)(a)
    assert type(result).__name__ == "SVDResult"
    result.S.sum().backward()
    same(a.grad, func.grad(lambda a: torch.linalg.svdvals(a).sum())(A))

    (b,) = tracked(B)
    order = cr.to_torch(np.argsort)(b)
    assert order.dtype == torch.int64 and not order.requires_grad
    taken = cr.to_torch(np.take)(b, order[:2])
    same(torch.autograd.grad(taken.sum(), b)[0], torch.tensor([1.0, 1.0, 0.0], dtype=F64))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128])
def test_dtypes_and_the_convention_of_complex_numbers(dtype):
    x = (torch.tensor([0.3, -0.7]) + (0.2j if dtype.is_complex else 0)).to(dtype)
    for f, g in ((np.exp, torch.exp), (np.square, torch.square)):
        (u,), (v,) = tracked(x), tracked(x)
        y = cr.to_torch(f)(u)
        assert y.dtype == dtype
        seed = (1 + 2 * y / 3).detach()
        y.backward(seed)
        g(v).backward(seed)
        assert u.grad.dtype == dtype
        torch.testing.assert_close(u.grad, v.grad)


def test_a_real_argument_of_a_complex_value():
    (u,), (v,) = tracked(B), tracked(B)
    z = torch.tensor([1 + 2j, 3j, -1.0], dtype=torch.complex128)
    cr.to_torch(np.multiply)(u, z).backward(z + 1)
    (v * z).backward(z + 1)
    same(u.grad, v.grad)
    marked = cr.to_torch(np.multiply)(z.conj(), u)
    same(marked, z.conj() * u)


def test_numbers_of_no_dimension_are_floats():
    def only_floats(t):
        assert isinstance(t, float)
        return t**3

    t = torch.tensor(2.0, dtype=F64, requires_grad=True)
    y = cr.to_torch(only_floats)(t)
    y.backward()
    assert y.shape == () and t.grad == 12.0


def batched_by_autograd(f):
    (b,) = tracked(B)
    return torch.autograd.grad(f(b), b, torch.eye(3, dtype=F64), is_grads_batched=True)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cr.to_torch(np.sin)(torch.ones(2, device="meta")), "device='meta'"),
        (lambda: cr.to_torch(np.sin)(torch.ones(2, dtype=torch.bfloat16)), "bfloat16"),
        (lambda: cr.to_torch(np.sin)(torch.eye(2).to_sparse()), "to_dense"),
        (lambda: cr.to_torch(np.sum)(B, where=B > 0), "arguments given by name are constants"),
        (lambda: cr.to_torch(lambda x: np.array([None, 2.0]))(B), "arrays of numbers alone"),
        (lambda: cr.to_torch(np.longdouble)(B[0]), "float128|longdouble"),
        (lambda: torch.vmap(cr.to_torch(np.sin))(torch.ones(0, 2)), "batch size"),
        (lambda: batched_by_autograd(cr.to_torch(np.sin)), "torch.func"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(cr.UnsupportedArgument, match=words) as refusal:
        call()
    assert "next:" in str(refusal.value)


def test_a_function_that_captured_a_tensor_is_refused():
    captured = B

    with pytest.raises(cr.NotDifferentiableError, match="captured an array of another engine"):
        cr.to_torch(lambda f, x: f(x))(lambda x: x * captured, B)


def test_no_derivative_is_an_error_and_no_zero():
    def opaque(x):
        return x

    @cr.rrule(opaque)
    def opaque_rrule(x: np.ndarray):
        return x, lambda y_bar: cr.NotImplementedTangent("nobody wrote it")

    (x,) = tracked(B)
    with pytest.raises(cr.ChainRulesError, match="nobody wrote it"):
        cr.to_torch(opaque)(x).sum().backward()


def test_modules_train():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.tensor([0.1, 0.2, 0.3], dtype=F64))

        def forward(self, x):
            return cr.to_torch(np.interp)(x, B.sort().values, self.w)

    model, x = Model(), torch.tensor([0.0, 1.0, -0.5], dtype=F64)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(3):
        optimiser.zero_grad()
        loss = (model(x) - 1).pow(2).sum()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[0] > losses[1] > losses[2]
