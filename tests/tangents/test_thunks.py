"""Lazy tangents: evaluated at most once, never by a look, never written."""

import copy
import pickle
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array

from chainrules.tangents import (
    NO_TANGENT,
    ZERO,
    Composite,
    InplaceableThunk,
    Thunk,
    accumulate,
    add,
    gather,
    inner,
    project_to,
    same_values,
    unthunk,
)


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
    assert thunk * ZERO is ZERO is ZERO * thunk
    assert repr(ZERO - thunk) == repr(-thunk)
    assert add(NO_TANGENT, thunk) is accumulate(ZERO, thunk) is gather(ZERO, thunk) is thunk
    assert gather(thunk, ZERO) is accumulate(thunk, NO_TANGENT) is thunk
    assert (Composite[tuple](thunk, 1.0) + Composite[tuple](ZERO, 1.0))[0] is thunk
    assert inner(ZERO, thunk) == inner(thunk, NO_TANGENT) == 0.0
    assert "not evaluated" in repr(Composite[tuple](thunk, 1.0))
    assert type(project_to(1.0)(thunk)) is Thunk
    assert compute.calls == 0
    assert unthunk(ZERO - thunk) == -1.0
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
        np.shape,
        np.linalg.norm,
        np.transpose,
        lambda t: np.where(t > 0, t, 0.0),
        lambda t: np.stack([t, VALUE]),
        lambda t: np.broadcast_to(t, (3, 2, 2)),
        lambda t: np.dot(VALUE, t),
        lambda t: np.multiply.outer(t, t),
        lambda t: VALUE[None] >= t,
        lambda t: t != t,
        lambda t: 3.0 in t,
        lambda t: [row.sum() for row in t],
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
        lambda t: t.T.__setitem__(0, 1.0),
        lambda t: t[0].__setitem__(0, 1.0),
        lambda t: next(iter(t)).fill(0.0),
        lambda t: setattr(t, "shape", (4,)),
    ],
)
def test_writing_into_one_is_an_error(write: Callable[[Any], Any]) -> None:
    value = VALUE.copy()
    with pytest.raises((AttributeError, TypeError, ValueError)):
        write(Thunk(lambda: value))
    assert np.array_equal(value, VALUE)


@pytest.mark.parametrize(
    "write",
    [
        lambda t: t["a"].fill(1.0),
        lambda t: t.get("a").fill(1.0),
        lambda t: t.update(a=1.0),
        lambda t: t["b"].append(1.0),
        lambda t: t["b"].__setitem__(0, 1.0),
        lambda t: t["c"].w.fill(1.0),
        lambda t: t["d"].data.fill(1.0),
    ],
)
def test_nor_into_what_a_structure_holds(write: Callable[[Any], Any]) -> None:
    composite, sparse = Composite[Counting](w=np.zeros(2)), coo_array(np.eye(2))
    value: dict[str, Any] = {"a": np.zeros(2), "b": [0.0], "c": composite, "d": sparse}
    thunks = {key: v if key == "a" else Thunk(partial(value.get, key)) for key, v in value.items()}
    with pytest.raises((AttributeError, TypeError, ValueError)):
        write(Thunk(lambda: thunks))
    assert not value["a"].any()
    assert value["b"] == [0.0]


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
