"""Views in which entries stand several times, against differences."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

windows: Any = np.lib.stride_tricks.sliding_window_view
strided: Any = np.lib.stride_tricks.as_strided
CASES = [
    case(windows, normal(5), 3),
    case(windows, normal(3, 4), (2, 2)),
    case(windows, complex_normal(3, 4).T, 2, axis=0),
    case(windows, normal(2, 3), (1, 2), axis=(1, 1)),
    case(strided, normal(5), (3, 2), (8, 16)),
    case(strided, normal(4, 2), shape=(3,), strides=(24,)),
    case(strided, normal(5), (2, 2), why="without strides, the entries in order"),
    case(strided, normal(4).astype("f4"), (2, 4), (0, 4), why="one row twice"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_derivatives():
    check_grads(lambda x: np.sum(np.prod(windows(x, 2), axis=-1) ** 2), normal(4), order=2)


def test_strides_of_a_view_are_refused():
    with pytest.raises(cr.UnsupportedArgument, match="an array in C order"):
        cr.grad(lambda x: np.sum(strided(x[::2], (2,), (16,))))(normal(4))


@pytest.mark.parametrize(
    ("shape", "strides"), [((2,), (12,)), ((4,), (16,)), ((2, 3), (8, 16)), ((2, 2), (8,))]
)
def test_strides_that_miss_entries_are_refused(shape, strides):
    with pytest.raises(cr.UnsupportedArgument, match="as_strided"):
        cr.grad(lambda x: np.sum(strided(x, shape, strides)))(normal(4))


@pytest.mark.parametrize(
    "view", [lambda a: strided(a, (3, 2), (8, 8)), lambda a: windows(a, 2, writeable=True)]
)
def test_a_store_where_several_entries_are_the_same_memory_is_refused(view):
    def stored(x):
        w = view(x * 1.0)
        w[0, 1] = x[3]
        return np.sum(w * w)

    def written(x):
        w = view(x * 1.0)
        np.add(x[:2], x[0], out=w)
        return np.sum(w * w)

    for program in (stored, written):
        for differentiate in (cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (x,))):
            with pytest.raises(cr.AliasedMutationError, match="the same memory"):
                differentiate(program)(normal(4))


def test_strided_views_in_a_gradient_by_a_direction():
    """NumPy lets nobody make such a view of a locked array writeable again."""
    x = np.arange(8.0).reshape(4, 2)

    def slope(dx):
        return np.sum(cr.jvp(lambda x: strided(x, (3,), (24,)), (x,), (dx,))[1] ** 2)

    expected = np.zeros(8)
    expected[[0, 3, 6]] = 2 * x.ravel()[[0, 3, 6]]
    assert np.array_equal(cr.grad(slope)(x), expected.reshape(4, 2))
