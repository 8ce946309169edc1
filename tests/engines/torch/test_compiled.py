"""`torch.compile`: operators of ours stay in one graph, forward and backward."""

import numpy as np
import pytest
import torch

import chainrules as cr

F64 = torch.float64
A = torch.tensor([[2.0, 0.3, -0.1], [0.1, 1.5, 0.2], [0.4, -0.3, 1.0]], dtype=F64)
B = torch.tensor([0.5, -1.0, 2.0], dtype=F64)

pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)

solve, svd, sines, sums = (cr.to_torch(f) for f in (np.linalg.solve, np.linalg.svd, np.sin, np.sum))


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()


def compiled(f, fullgraph=True):
    return torch.compile(f, fullgraph=fullgraph, backend="aot_eager")


def gradients(f, *x):
    leaves = [t.clone().requires_grad_() for t in x]
    y = f(*leaves)
    return y, torch.autograd.grad(y, leaves)


def test_one_graph_with_structures_and_keywords():
    def ours(A, b):
        s = svd(A, full_matrices=False)
        return (sines(solve(A, b) * 2)).sum() + s.S.sum() + sums(A, axis=0).pow(2).sum()

    def own(A, b):
        return (
            torch.sin(torch.linalg.solve(A, b) * 2).sum()
            + torch.linalg.svdvals(A).sum()
            + A.sum(0).pow(2).sum()
        )

    torch.testing.assert_close(gradients(compiled(ours), A, B), gradients(own, A, B))
    again = compiled(ours)
    again(A, B)
    torch.testing.assert_close(again(A + 1, B), own(A + 1, B))


def test_the_default_backend():
    f = torch.compile(lambda x: sines(x * 2).sum(), fullgraph=True)
    torch.testing.assert_close(gradients(f, B)[1][0], 2 * torch.cos(2 * B))


def test_values_of_any_structure():
    def parts(x):
        return {"y": x * 2, "rest": [x.sum(), None, "name", 3]}

    found = compiled(cr.to_torch(parts))(B)
    assert found["rest"][1:] == [None, "name", 3]
    torch.testing.assert_close((found["y"], found["rest"][0]), (2 * B, B.sum()))


def test_transformations_break_the_graph_and_are_right():
    for f, wanted in (
        (lambda x: torch.func.grad(lambda x: sines(x).sum())(x), B.cos()),
        (lambda x: torch.vmap(sines)(x), B.sin()),
        (lambda x: torch.func.jvp(sines, (x,), (x,))[1], B * B.cos()),
    ):
        torch.testing.assert_close(compiled(f, fullgraph=False)(B), wanted)


def cubed(v):
    return v**3


def test_functions_as_arguments_break_the_graph_and_are_right():
    rows = cr.to_torch(np.apply_along_axis)
    y, (gradient,) = gradients(compiled(lambda x: rows(cubed, 0, x).sum(), fullgraph=False), A)
    torch.testing.assert_close((y, gradient), ((A**3).sum(), 3 * A**2))
    with pytest.raises(torch._dynamo.exc.Unsupported, match="an argument is a function"):
        compiled(lambda x: rows(cubed, 0, x).sum())(A)


@pytest.mark.parametrize(
    ("f", "words"),
    [
        (cr.to_torch(lambda x: x[10]), "cannot be told"),
        (lambda x: sums(x, where=x > 0), "arguments given by name are constants"),
    ],
)
def test_refused_by_name(f, words):
    with pytest.warns(UserWarning, match=words), pytest.raises(torch._dynamo.exc.Unsupported):
        compiled(f)(B)
