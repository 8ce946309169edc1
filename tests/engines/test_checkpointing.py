"""`checkpoint`: the same derivatives in less memory; what would make a second run different is refused."""

import math
import tracemalloc

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings

X = np.array([2.0, 3.0])


def steps(x, n):
    for _ in range(n):
        x = x + 1e-6 * np.sin(x)
    return x


segment = cr.checkpoint(steps)


def in_segments(x, n):
    root = math.isqrt(n)
    for _ in range(root):
        x = segment(x, root)
    return x


def peak(operator, f, n):
    """The most memory that a derivative of n steps takes at once, in bytes."""

    def run(n):
        return operator(lambda x: f(x, n))(1.0)

    for _ in range(2):  # texts of expressions are made here
        run(100)
    tracemalloc.start()
    result = run(n)
    taken = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return result, taken


def test_memory_grows_as_the_root_of_the_steps_with_checkpoint_and_as_the_steps_without(monkeypatch):
    monkeypatch.setattr(Settings, "on", False)  # a text of the whole keeps less
    (plain, little), (_, much) = peak(cr.grad, steps, 900), peak(cr.grad, steps, 3600)
    assert much > 3.5 * little
    (cut, small), (_, large) = peak(cr.grad, in_segments, 900), peak(cr.grad, in_segments, 8100)
    assert cut == plain
    assert large < 4.5 * small  # nine times the steps
    assert large < little


def test_a_loop_forward_runs_in_flat_memory():
    (_, few), (_, many) = peak(cr.derivative, steps, 300), peak(cr.derivative, steps, 3000)
    assert many < few + 20_000
    assert many < 100_000


def captured(w, checkpoint):
    g = checkpoint(lambda x, *, k: np.sum(x * w) ** 2 * k)
    return g(X, k=w[1]) * w[0]


def test_what_is_captured_or_given_by_name_is_differentiated():
    w = np.array([0.5, 0.7])

    def plainly(w):
        return captured(w, lambda f: f)

    def cut(w):
        return captured(w, cr.checkpoint)

    np.testing.assert_allclose(cr.grad(cut)(w), cr.grad(plainly)(w))
    np.testing.assert_allclose(cr.jvp(cut, (w,), (X,))[1], cr.jvp(plainly, (w,), (X,))[1])
    np.testing.assert_allclose(cr.hessian(cut)(w), cr.hessian(plainly)(w))
    np.testing.assert_allclose(cr.hvp(cut, w, X), cr.hvp(plainly, w, X))


def test_checkpoints_inside_checkpoints():
    def halves(x, n):
        return np.sin(x) if n == 1 else cut(cut(x, n // 2), n // 2)

    cut = cr.checkpoint(halves)
    np.testing.assert_allclose(cr.grad(cut)(0.5, 8), cr.derivative(lambda x: halves(x, 8))(0.5))


def test_f_runs_twice_in_reverse_and_the_value_is_its_own():
    runs = []

    @cr.checkpoint
    def f(x):
        runs.append(0)
        return {"value": x * x}

    y, pullback = cr.vjp(f, 3.0)
    assert (y, len(runs)) == ({"value": 9.0}, 1)
    assert pullback({"value": 1.0}) == (6.0,)
    assert len(runs) == 2
    assert f.__name__ == "f"


def test_a_value_that_changes_is_refused():
    random = np.random.default_rng(0)
    f = cr.checkpoint(lambda x: x * random.normal())
    with pytest.raises(cr.NotDifferentiableError, match=r"another value(.|\n)*next: "):
        cr.grad(f)(1.0)


def test_writing_into_arguments_is_refused_before_and_after():
    @cr.checkpoint
    def counting(x, a):
        a["count"] += 1
        return x * a["count"]

    with pytest.raises(cr.AliasedMutationError, match="it writes into them"):
        cr.grad(counting)(1.0, {"count": 0})
    x = np.ones(2)
    _, pullback = cr.vjp(cr.checkpoint(np.square), x)
    x[0] = 5.0
    with pytest.raises(cr.AliasedMutationError, match="written to after"):
        pullback(np.ones(2))


def test_an_exception_of_the_function_passes():
    with pytest.raises(ZeroDivisionError):
        cr.grad(cr.checkpoint(lambda x: x / 0))(1.0)
