"""`to_autograd`: orders and modes against autograd's own functions."""

import autograd
import autograd.numpy as anp
import numpy as np
import pytest
from autograd.differential_operators import make_jvp
from tests.engines.adapted import counted, same, squared_in_place

import chainrules as cr

A = np.array([[2.0, 0.3, 0.1], [0.1, 1.0, 0.2], [0.3, -0.2, 1.5]])
B = np.array([1.0, 2.0, -0.5])
Z = np.array([1 + 2j, 0.5 - 1j])

solve, sines, svd = (cr.to_autograd(f) for f in (np.linalg.solve, np.sin, np.linalg.svd))


def ours(A, b):
    return anp.sum(sines(solve(A, b)) ** 2)


def own(A, b):
    return anp.sum(anp.sin(anp.linalg.solve(A, b)) ** 2)


def along(f):
    return lambda b: make_jvp(lambda c: f(A, c))(b)(B)[1]


@pytest.mark.parametrize("n", [0, 1])
def test_reverse_over_reverse(n):
    same(autograd.grad(ours, n)(A, B), autograd.grad(own, n)(A, B))
    same(autograd.hessian(ours, n)(A, B), autograd.hessian(own, n)(A, B))


def test_forward_and_mixed_orders():
    gradient, hessian = autograd.grad(own, 1), autograd.hessian(own, 1)(A, B)
    same(along(ours)(B), gradient(A, B) @ B)
    same(make_jvp(autograd.grad(ours, 1), 1)(A, B)(B)[1], hessian @ B)
    same(autograd.grad(along(ours))(B), hessian @ B)
    same(make_jvp(along(ours))(B)(B)[1], B @ hessian @ B)


def test_third_order():
    def third(f):
        return autograd.elementwise_grad(autograd.elementwise_grad(autograd.elementwise_grad(f)))

    same(third(sines)(B), -np.cos(B))


def test_several_outputs():
    def volume(A):
        return anp.sum(svd(A, full_matrices=False).S ** 3)

    same(
        autograd.grad(volume)(A),
        autograd.grad(lambda A: anp.sum(anp.linalg.svd(A, full_matrices=False)[1] ** 3))(A),
    )
    same(make_jvp(volume)(A)(A)[1], np.sum(autograd.grad(volume)(A) * A))


@pytest.mark.parametrize(("f", "g"), [(np.exp, anp.exp), (np.abs, anp.abs), (np.square, anp.square)])
def test_the_convention_of_complex_numbers(f, g):
    def gradient(f):
        return autograd.grad(lambda z: anp.real(anp.sum(f(z * z) * (1 + 1j))))(Z)

    same(gradient(cr.to_autograd(f)), gradient(g))
    same(make_jvp(cr.to_autograd(f))(Z)(1 + Z)[1], make_jvp(g)(Z)(1 + Z)[1])


def parts(d):
    return {"x": d["a"] * d["l"][1][1], "n": 3, "o": (np.sum(d["l"][0]), np.argsort(d["a"]))}


def test_its_containers():
    whole = cr.to_autograd(parts)

    def total(of, d):
        y = of(d)
        return anp.sum(y["x"] ** 2) + y["o"][0] ** 2 + y["n"]

    d = {"a": B, "l": [A, (B, 2.0)]}
    found = autograd.grad(lambda d: total(whole, d))(d)
    wanted = autograd.grad(lambda d: anp.sum((d["a"] * d["l"][1][1]) ** 2) + anp.sum(d["l"][0]) ** 2)(d)
    same(found["a"], wanted["a"])
    same(found["l"][0], wanted["l"][0])
    same(found["l"][1][1], wanted["l"][1][1])
    assert autograd.grad(lambda d: total(whole, d) ** 2)(d)["a"].shape == (3,)
    same(whole(d)["o"][1], [2, 0, 1])


def test_what_is_not_needed_is_not_computed():
    scaled, asked = counted()
    f = cr.to_autograd(scaled)
    same(autograd.grad(lambda b: anp.sum(f(B, b)))(B), B)
    assert asked == [(False, True)]
    f(B, B)
    assert len(asked) == 1


class Batches:
    def __init__(self):
        self.i, self.x = 0, [0.0, 1.0, 2.0]

    def next(self):
        b = self.x[self.i]
        self.i += 1
        return b


def test_effects_happen_once():
    def loss(w, d):
        return (w - d.next()) ** 2

    f, d = cr.to_autograd(loss), Batches()
    assert [autograd.grad(lambda w: f(w, d))(0.0) for _ in range(3)] == [0.0, -2.0, -4.0]
    d = Batches()
    assert [float(make_jvp(lambda w: f(w, d))(0.0)(1.0)[1]) for _ in range(3)] == [0.0, -2.0, -4.0]
    d = Batches()
    g = cr.to_autograd(lambda w: loss(w, d))
    assert [autograd.grad(g)(0.0) for _ in range(3)] == [0.0, -2.0, -4.0]


def test_a_write_into_what_is_traced_is_refused():
    squares, x = cr.to_autograd(squared_in_place), B.copy()
    for doing in (lambda: autograd.grad(lambda x: anp.sum(squares(x)))(x), lambda: make_jvp(squares)(x)(B)):
        with pytest.raises(cr.AliasedMutationError, match="writes into an array"):
            doing()
    same(x, B)


def test_refusals():
    with pytest.raises(cr.UnsupportedArgument, match="give it by position"):
        autograd.grad(lambda b: cr.to_autograd(np.sum)(B, where=b))(B)
