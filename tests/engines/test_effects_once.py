"""A derivative has exactly the effects of its function, once and in order: operators × kinds of effect."""

from __future__ import annotations

import copy
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

W = 0.5


class Batches:
    """An object that changes as it is used."""

    def __init__(self):
        self.i, self.x = 0, [0.0, 1.0, 2.0, 4.0]

    def next(self):
        b = self.x[self.i]
        self.i += 1
        return b


def an_attribute(w, d):
    return (w - d.next()) ** 2


def an_array(w, a):
    a[0] += 1.0
    return (w - a[0]) ** 2


def an_array_of_integers(w, n):
    n[n[0]] += 1
    n[0] += 1
    return (w - n[0]) ** 2


def a_list(w, seen):
    seen.append(1.0)
    return (w - len(seen)) ** 2


def a_list_of_what_varies(w, seen):
    seen.append(w)
    return (w - len(seen)) ** 2


def a_dict(w, counts):
    counts["runs"] = counts.get("runs", 0) + 1
    return (w - counts["runs"]) ** 2


def an_iterator(w, items):
    return (w - next(items)) ** 2


def a_text(w, out):
    print("run", file=out)
    return (w - len(out.getvalue())) ** 2


def a_nested_object(w, held):
    held["data"].next()
    held["data"].x.append(5.0)
    return (w - held["data"].i) ** 2


ARGUMENTS: dict[Callable[..., Any], Callable[[], Any]] = {
    an_attribute: Batches,
    an_array: lambda: np.array([1.0, 2.0]),
    an_array_of_integers: lambda: np.array([1, 2, 3, 4, 5, 6]),
    a_list: lambda: [3.0],
    a_list_of_what_varies: lambda: [3.0],
    a_dict: lambda: {"other": 2.0},
    an_iterator: lambda: iter([1.0, 2.0, 3.0, 4.0]),
    a_text: io.StringIO,
    a_nested_object: lambda: {"data": Batches()},
}


OPERATORS: dict[str, Callable[..., Any]] = {
    "grad": lambda f, w, engine: cr.grad(f, engine=engine)(w),
    "value_and_grad": lambda f, w, engine: cr.value_and_grad(f, engine=engine)(w)[1],
    "derivative": lambda f, w, engine: cr.derivative(f, engine=engine)(w),
    "value_and_derivative": lambda f, w, engine: cr.value_and_derivative(f, engine=engine)(w)[1],
    "vjp": lambda f, w, engine: cr.vjp(f, w, engine=engine)[1](1.0)[0],
    "jvp": lambda f, w, engine: cr.jvp(f, (w,), (1.0,), engine=engine)[1],
    "jacobian": lambda f, w, engine: cr.jacobian(f, engine=engine)(w),
    "jacrev": lambda f, w, engine: cr.jacrev(f, engine=engine)(w),
    "jacfwd": lambda f, w, engine: cr.jacfwd(f, engine=engine)(w),
    "value_and_jacobian": lambda f, w, engine: cr.value_and_jacobian(f, engine=engine)(w)[1],
    "elementwise_grad": lambda f, w, engine: cr.elementwise_grad(f, engine=engine)(w),
    "linearize": lambda f, w, engine: cr.linearize(f, w, engine=engine)[1](1.0),
}
SECOND: dict[str, Callable[..., Any]] = {
    "hessian": lambda f, w, engine: cr.hessian(f, engine=engine)(w),
    "hvp": lambda f, w, engine: cr.hvp(f, w, 1.0, engine=engine),
    "grad of grad": lambda f, w, engine: cr.grad(cr.grad(f, engine=engine), engine=engine)(w),
    "jacfwd of jacfwd": lambda f, w, engine: cr.jacfwd(cr.jacfwd(f, engine=engine), engine=engine)(w),
    "jvp of grad": lambda f, w, engine: cr.jvp(cr.grad(f, engine=engine), (w,), (1.0,), engine=engine)[1],
}
BY_ARGUMENT: dict[str, Callable[..., Any]] = {
    "grad": lambda f, w, s, e: cr.grad(f, engine=e)(w, s),
    "value_and_grad": lambda f, w, s, e: cr.value_and_grad(f, engine=e)(w, s)[1],
    "derivative": lambda f, w, s, e: cr.derivative(f, engine=e)(w, s),
    "jvp": lambda f, w, s, e: cr.jvp(f, (w, s), (1.0, cr.Zero()), engine=e)[1],
    "jacobian": lambda f, w, s, e: cr.jacobian(f, engine=e)(w, s),
    "jacrev": lambda f, w, s, e: cr.jacrev(f, engine=e)(w, s),
    "jacfwd": lambda f, w, s, e: cr.jacfwd(f, engine=e)(w, s),
    "elementwise_grad": lambda f, w, s, e: cr.elementwise_grad(f, engine=e)(w, s),
}
SECOND_BY_ARGUMENT: dict[str, Callable[..., Any]] = {
    "hessian": lambda f, w, s, e: cr.hessian(f, engine=e)(w, s),
    "hvp": lambda f, w, s, e: cr.hvp(f, (w, s), 1.0, argnums=0, engine=e),
    "grad of grad": lambda f, w, s, e: cr.grad(cr.grad(f, engine=e), engine=e)(w, s),
    "jacfwd of jacfwd": lambda f, w, s, e: cr.jacfwd(cr.jacfwd(f, engine=e), engine=e)(w, s),
}
ENGINES = ["source", "tape"]


def shown(x: Any) -> Any:
    """What can be compared of a state."""
    if isinstance(x, np.ndarray):
        return x.tolist()
    if isinstance(x, Batches):
        return x.i, shown(x.x)
    if isinstance(x, io.StringIO):
        return x.getvalue()
    if isinstance(x, dict):
        return {k: shown(v) for k, v in x.items()}
    return list(copy.copy(x)) if hasattr(x, "__next__") else x


def expected(f: Any, times: int) -> tuple[list[float], Any]:
    """The derivatives at W of plain runs one after another, (w − c)² with w's values, and the state then."""
    state, slopes = ARGUMENTS[f](), []
    for _ in range(times):
        here = copy.deepcopy(state)
        up, down = (f(W + h, copy.deepcopy(here)) for h in (0.5, -0.5))
        slopes.append(up - down)  # exact: a parabola
        f(W, state)
    return slopes, shown(state)


def is_refused(name: str, f: Any) -> bool:
    """Whether this is refused by name: output cannot be copied for a run more."""
    return f is a_text and "jacfwd" in name


def check(name: str, f: Any, engine: str, captured: bool, run: Any, known: Any = None) -> None:
    """The derivatives of runs one after another are those of plain runs, and so is the state then."""
    state = ARGUMENTS[f]()
    if is_refused(name, f):
        with pytest.raises(cr.ChainRulesError, match="next: "):
            run(state)
        return
    slopes, after = expected(f, 3)
    np.testing.assert_allclose([float(run(state)) for _ in range(3)], slopes if known is None else known)
    assert shown(state) == after


def by_argument(table: Any, name: str, f: Any, engine: str) -> Any:
    return lambda state: table[name](f, W, state, engine)


def by_capture(table: Any, name: str, f: Any, engine: str) -> Any:
    def run(state):
        def captured(w):
            return f(w, state)

        return table[name](captured, W, engine)

    return run


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("f", ARGUMENTS)
@pytest.mark.parametrize("name", BY_ARGUMENT)
def test_effects_on_arguments(name, f, engine):
    check(name, f, engine, False, by_argument(BY_ARGUMENT, name, f, engine))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("f", ARGUMENTS)
@pytest.mark.parametrize("name", OPERATORS)
def test_effects_on_what_was_captured(name, f, engine):
    check(name, f, engine, True, by_capture(OPERATORS, name, f, engine))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("f", ARGUMENTS)
@pytest.mark.parametrize("name", SECOND_BY_ARGUMENT)
def test_effects_on_arguments_in_second_derivatives(name, f, engine):
    check(name, f, engine, False, by_argument(SECOND_BY_ARGUMENT, name, f, engine), [2.0] * 3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("f", ARGUMENTS)
@pytest.mark.parametrize("name", SECOND)
def test_effects_on_what_was_captured_in_second_derivatives(name, f, engine):
    check(name, f, engine, True, by_capture(SECOND, name, f, engine), [2.0] * 3)


def heat(u):
    u[1:] += 0.5 * u[:-1]
    return np.sum(u**2)


U = np.array([1.0, 2.0, 3.0])
HEATED = [1.0, 2.5, 4.0]
HEATING: dict[str, Callable[..., Any]] = {
    "grad": lambda u: cr.grad(heat)(u),
    "vjp": lambda u: cr.vjp(heat, u)[1](1.0)[0],
    "jvp": lambda u: cr.jvp(heat, (u,), (U,)),
    "jacfwd": lambda u: cr.jacfwd(heat)(u),
    "jacrev": lambda u: cr.jacrev(heat)(u),
    "linearize": lambda u: cr.linearize(heat, u)[1](U),
    "hessian": lambda u: cr.hessian(heat)(u),
    "hvp": lambda u: cr.hvp(heat, u, U),
    "jacfwd of jacfwd": lambda u: cr.jacfwd(cr.jacfwd(heat))(u),
    "pushforward": lambda u: cr.core.default_engine().value_and_pushforward(heat, u)[1](U),
    "explain": lambda u: cr.explain(heat, u),
}


@pytest.mark.parametrize("name", HEATING)
def test_an_array_that_is_differentiated_changes_as_in_a_plain_call(name):
    u = U.copy()
    found = HEATING[name](u)
    assert u.tolist() == HEATED
    if name != "explain":  # derivatives are those at the values at entry
        same = HEATING[name](U.copy())
        np.testing.assert_array_equal(found, same) if name != "jvp" else None
    if name in ("grad", "vjp", "jacfwd", "jacrev"):
        np.testing.assert_allclose(found, [4.5, 9.0, 8.0])


def test_what_does_not_run_the_function_or_compares_runs_leaves_arguments():
    u = U.copy()
    cr.verify(heat, u)
    cr.derivative_source(heat, u)
    cr.testing.check_grads(heat, u)
    assert u.tolist() == U.tolist()


def grown(xs):
    xs.append(xs[0] * xs[1])
    return xs[0] + xs[2]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_gradient_is_like_the_argument_at_entry(engine):
    xs = [2.0, 3.0]
    assert tuple(cr.grad(grown, engine=engine)(xs)) == (4.0, 2.0)
    assert xs == [2.0, 3.0, 6.0]
    ys = [2.0, 3.0]
    assert np.shape(cr.ravel(cr.jacobian(grown, engine=engine)(ys))[0]) == (2,)
    assert ys == xs


@pytest.mark.parametrize("engine", ENGINES)
def test_what_happened_before_an_error_stays(engine):
    def failing(w, d):
        d.next()
        raise KeyError("no more")

    d = Batches()
    for _ in range(2):
        with pytest.raises(KeyError):
            cr.grad(failing, engine=engine)(W, d)
    assert d.i == 2


def test_a_derivative_inside_another_counts_once():
    d = Batches()
    found = [cr.grad(lambda w: cr.grad(an_attribute)(w, d) ** 2)(W) for _ in range(3)]
    assert found == [8 * (W - b) for b in (0.0, 1.0, 2.0)]
    assert d.i == 3


def used_after(x):
    gradient = cr.grad(heat)(x)
    return np.sum(gradient) + np.sum(x**2)


def test_a_change_of_what_varies_inside_another_derivative():
    rightly.grad(used_after)(U.copy())
    rightly.jvp(used_after, (U.copy(),), (U,))


def test_specialised_programs_have_the_effects():
    d = Batches()
    with specialised_after(1):
        found = [cr.grad(an_attribute)(W, d) for _ in range(4)]
    assert found == [2 * (W - b) for b in (0.0, 1.0, 2.0, 4.0)]
    assert d.i == 4
