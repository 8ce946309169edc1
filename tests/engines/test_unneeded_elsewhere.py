"""Cotangents that nobody needs are not computed: lazy answers, counted in every engine that asks a rule.

The value is a number or an array, and the arguments stand by themselves or in a container.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import chainrules as cr

autograd, jax, torch = (pytest.importorskip(name) for name in ("autograd", "jax", "torch"))
pytensor, pt = (pytest.importorskip(name) for name in ("pytensor", "pytensor.tensor"))

X, C = np.array([1.0, 2.0, -0.5]), np.array([3.0, 0.5, 1.0])
counts = {"a": 0, "b": 0}


def _counted(name: str, y_bar: Any, other: Any) -> Any:
    counts[name] += 1
    return y_bar * other


def _answers(a: Any, b: Any) -> Any:
    return lambda y_bar: (
        cr.Thunk(partial(_counted, "a", y_bar, b)),
        cr.Thunk(partial(_counted, "b", y_bar, a)),
    )


def dot(a, b):
    return np.sum(a * b)


@cr.rrule(dot)
def dot_rrule(a: np.ndarray, b: np.ndarray):
    return dot(a, b), _answers(a, b)


def times(a, b):
    return a * b


@cr.rrule(times)
def times_rrule(a: np.ndarray, b: np.ndarray):
    return times(a, b), _answers(a, b)


def of_pair(f, pair):
    return cr.call(f, *pair)


def by_source(f, of_sum):
    return cr.grad(lambda x: of_sum(f(x, C)))(X)


def by_tape(f, of_sum):
    return cr.grad(lambda x: of_sum(cr.call(f, x, C)), engine="tape")(X)


def by_jax(f, of_sum):
    adapted = cr.to_jax(f, how="callback")
    return jax.grad(lambda x: adapted(x, C).sum())(X)


def by_jax_compiled(f, of_sum):
    adapted = cr.to_jax(f, how="callback")
    return jax.jit(jax.grad(lambda x: adapted(x, C).sum()))(X)


def by_jax_in_a_pair(f, of_sum):
    adapted = cr.to_jax(partial(of_pair, f), how="callback")
    return jax.grad(lambda x: adapted((x, C)).sum())(X)


def by_torch(f, of_sum):
    x = torch.tensor(X, requires_grad=True)
    cr.to_torch(f)(x, torch.tensor(C)).sum().backward()
    return x.grad.numpy()


def by_torch_func(f, of_sum):
    adapted = cr.to_torch(f)
    return torch.func.grad(lambda x: adapted(x, torch.tensor(C)).sum())(torch.tensor(X)).numpy()


def by_torch_in_a_pair(f, of_sum):
    x = torch.tensor(X, requires_grad=True)
    cr.to_torch(partial(of_pair, f))((x, torch.tensor(C))).sum().backward()
    return x.grad.numpy()


def by_autograd(f, of_sum):
    adapted = cr.to_autograd(f)
    return autograd.grad(lambda x: autograd.numpy.sum(adapted(x, C)))(X)


def by_pytensor(f, of_sum):
    x = pt.dvector()
    y = pt.sum(cr.to_pytensor(f)(x, pt.constant(C)))
    mode = pytensor.compile.mode.Mode(linker="py", optimizer="fast_run")
    return pytensor.function([x], pytensor.grad(y, x), mode=mode)(X)


ENGINES = [by_source, by_tape, by_jax, by_jax_compiled, by_jax_in_a_pair]
ENGINES += [by_torch, by_torch_func, by_torch_in_a_pair, by_autograd, by_pytensor]


@pytest.mark.parametrize("gradient", ENGINES)
@pytest.mark.parametrize("f", [dot, times])
def test_lazy_answers_that_nobody_needs_are_not_forced(gradient: Callable[..., Any], f: Any) -> None:
    counts.update(a=0, b=0)
    found = gradient(f, np.sum)
    assert counts == {"a": 1, "b": 0}
    np.testing.assert_allclose(found, C, rtol=1e-6)
