"""Lazy tangents: evaluated at most once, never by a look, never written."""

import copy
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from chainrules.tangents import ZERO, InplaceableThunk, Thunk, accumulate, same_values, unthunk


class Counting:
    """A computation that counts how often it ran."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.calls = 0

    def __call__(self) -> Any:
        self.calls += 1
        return self.value


def test_evaluated_at_most_once_and_to_the_bottom() -> None:
    compute = Counting(3.0)
    thunk = Thunk(lambda: Thunk(compute))
    assert compute.calls == 0
    assert unthunk(thunk) == unthunk(thunk) == thunk + 0.0 == 3.0
    assert compute.calls == 1
    assert unthunk(2.0) == 2.0


def test_evaluated_at_most_once_by_many_threads() -> None:
    compute = Counting(1.0)

    def slow() -> Any:
        time.sleep(0.02)
        return compute()

    thunk = Thunk(slow)
    threads = [threading.Thread(target=thunk.force) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compute.calls == 1


def test_a_failure_is_not_remembered() -> None:
    attempts = iter([lambda: 1 / 0, lambda: 2.0])
    thunk = Thunk(lambda: next(attempts)())
    with pytest.raises(ZeroDivisionError):
        unthunk(thunk)
    assert unthunk(thunk) == 2.0


def test_looking_does_not_force() -> None:
    compute = Counting(1.0)
    thunk = Thunk(compute)
    assert "not evaluated" in repr(thunk)
    assert "not evaluated" in f"{thunk} {[thunk]}"
    assert not hasattr(thunk, "_repr_html_")
    assert (thunk + ZERO) is (ZERO + thunk) is (thunk - ZERO) is thunk
    assert thunk * ZERO is ZERO
    assert compute.calls == 0
    unthunk(thunk)
    assert repr(thunk) == "Thunk(1.0)"


VALUE = np.array([[1.0, -2.0], [3.0, 4.0]])


@pytest.mark.parametrize(
    "use",
    [
        lambda t: t + VALUE,
        lambda t: VALUE + t,
        lambda t: t - VALUE,
        lambda t: VALUE - t,
        lambda t: 2.0 * t,
        lambda t: t * np.float64(2),
        lambda t: np.float64(2) * t,
        lambda t: t / 2,
        lambda t: 1 / t,
        lambda t: t**2,
        lambda t: t @ VALUE,
        lambda t: VALUE @ t,
        lambda t: -t,
        abs,
        lambda t: t == VALUE,
        lambda t: t < VALUE,
        lambda t: t[0],
        lambda t: t[:, 1],
        lambda t: t.T,
        lambda t: t.sum(axis=0),
        lambda t: t.shape,
        len,
        list,
        np.sin,
        np.sum,
        np.asarray,
        lambda t: np.concatenate([t, t]),
        lambda t: np.einsum("ij->ji", t),
        lambda t: np.linalg.solve(t, np.ones(2)),
        lambda t: np.add.reduce(t, axis=1),
    ],
)
def test_everything_else_behaves_like_the_value(use: Callable[[Any], Any]) -> None:
    compute = Counting(VALUE)
    np.testing.assert_array_equal(use(Thunk(compute)), use(VALUE))
    assert compute.calls == 1


def test_scalars_convert() -> None:
    assert float(Thunk(lambda: 2.0)) == int(Thunk(lambda: 2.0)) == complex(Thunk(lambda: 2.0)) == 2.0
    assert bool(Thunk(lambda: 1.0))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Thunk(lambda: 1.0))


def fill_slice(t: Any) -> None:
    t[0] += 1.0


@pytest.mark.parametrize(
    "write",
    [
        lambda t: t.__setitem__(0, 1.0),
        fill_slice,
        lambda t: t.fill(0.0),
        lambda t: t.sort(),
        lambda t: np.add(VALUE, VALUE, out=t),
        lambda t: np.put(t, 0, 1.0),
        lambda t: np.copyto(t, 0.0),
        lambda t: np.add.at(t, 0, 1.0),
        lambda t: np.asarray(t).__setitem__(0, 1.0),
    ],
)
def test_writing_into_one_is_an_error(write: Callable[[Any], Any]) -> None:
    value = VALUE.copy()
    with pytest.raises((TypeError, ValueError)):
        write(Thunk(lambda: value))
    assert np.array_equal(value, VALUE)


def test_copies_and_pickles_carry_the_value() -> None:
    for other in (copy.deepcopy(Thunk(lambda: VALUE)), pickle.loads(pickle.dumps(Thunk(lambda: VALUE)))):
        assert np.array_equal(unthunk(other), VALUE)


def test_an_inplaceable_thunk_adds_itself() -> None:
    compute = Counting(np.full(3, 2.0))
    thunk = InplaceableThunk(lambda acc: np.add(acc, 2.0, out=acc), Thunk(compute))
    acc = np.ones(3)
    assert accumulate(acc, thunk) is acc
    assert np.array_equal(acc, np.full(3, 3.0))
    assert compute.calls == 0
    assert same_values(thunk + np.ones(3), np.full(3, 3.0))
    assert compute.calls == 1
