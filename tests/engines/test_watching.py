"""What runs as it is written changes nothing that varies: it is refused where it does, and may count."""

import functools
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

X = np.array([0.5, 1.5])


class State:
    def __init__(self, w: Any) -> None:
        self.w = w
        self.calls = 0
        self.log: list[str] = []

    @functools.cached_property
    def norm(self) -> Any:
        return np.sqrt(np.sum(self.w**2))


def doubles(s: State) -> bool:
    s.w = s.w * 2.0
    return False


def counts(s: State) -> bool:
    s.calls += 1
    s.log.append("asked")
    return s.calls > 2


def reads(s: State) -> bool:
    return bool(s.norm > 100.0)


def named(name: str) -> Any:
    """A function of which nothing is known before it is called."""
    return globals()[name]


def stepped(x: Any, name: str) -> Any:
    check = named(name)
    s = State(x * 3.0)
    while not check(s):
        s.w = s.w * s.w
        if s.calls == 0:
            break
    return np.sum(s.w)


def test_a_change_by_a_test() -> None:
    def f(x: Any) -> Any:
        return stepped(x, "doubles")

    for run in (lambda: rightly.grad(f)(X), lambda: rightly.jvp(f, (X,), (X,))):
        run()


@pytest.mark.parametrize("name", ["counts", "reads"])
def test_counting_and_reading_is_none(name: str) -> None:
    cr.testing.check_grads(lambda x: stepped(x, name), X)


class Monitor:
    """What many programs call at each step, and what keeps what it was given."""

    def __init__(self) -> None:
        self.seen: list[float] = []

    def __call__(self, r: Any) -> bool:
        self.seen.append(float(np.sum(r)))
        return len(self.seen) > 4


def descended(x: Any, monitor: Any) -> Any:
    y = x * 1.0
    for _ in range(3):
        y = y - 0.1 * y * y
        if monitor(y):
            break
    return np.sum(y)


def descended_apart(x: Any, monitor: Any) -> Any:
    y = x * 1.0
    for _ in range(3):
        y = y - 0.1 * y * y
        if monitor(cr.stop_gradient(y)):
            break
    return np.sum(y)


@pytest.mark.parametrize("f", [descended, descended_apart])
def test_a_monitor_may_keep_what_has_no_derivative(f: Any) -> None:
    expected = cr.grad(lambda x: descended(x, lambda y: False))(X)
    for run in (lambda m: cr.grad(lambda x: f(x, m))(X), lambda m: cr.grad(f)(X, m)):
        monitor = Monitor()
        np.testing.assert_allclose(run(monitor), expected)
        assert len(monitor.seen) == 3
    cr.testing.check_grads(lambda x: descended(x, lambda y: False), X)


def test_a_function_that_is_handed_over_is_known() -> None:
    def changed(x: Any, check: Any) -> Any:
        s = State(x * 3.0)
        return np.sum(s.w * s.w) if not check(s) else 0.0

    for check in (doubles, reads):
        cr.testing.check_grads(lambda x, check=check: changed(x, check), X)


def caught(x: Any, name: str) -> Any:
    check = named(name)
    a = x * 3.0
    try:
        ok = not check(a)
    except ValueError:
        ok = True
    return np.sum(a) if ok else a[0]


def halves(a: Any) -> bool:
    a[0] /= 2.0
    return False


def raises(a: Any) -> bool:
    raise ValueError("the user's own")


def test_a_store_in_a_test_is_followed() -> None:
    rightly.grad(lambda x: caught(x, "halves"))(X)
    gradient = cr.grad(lambda x: caught(x, "raises"))
    np.testing.assert_array_equal(gradient(X), [3.0, 3.0])


def weighed(x: Any, scale: Any, check: Any) -> Any:
    a = x * x
    factor = scale[0] if not check(a) else 2.0
    return np.sum(a) * factor


def test_what_is_watched_is_differentiated_again() -> None:
    def first(scale: Any) -> Any:
        return cr.grad(lambda x: weighed(x, scale, lambda a: False))(X)[0]

    np.testing.assert_allclose(cr.grad(first)(np.ones(1)), [1.0])  # of 2·x₀·s
    np.testing.assert_allclose(cr.jvp(first, (np.ones(1),), (np.ones(1),))[1], 1.0)


def with_default(x: Any, check: Any = lambda o: True) -> Any:
    o = State(x * 3.0)
    chosen = check
    return np.sum(o.w) if chosen(o) else 0.0


def test_a_default_that_may_be_changed_is_not_given() -> None:
    np.testing.assert_array_equal(cr.grad(with_default)(X), [3.0, 3.0])
