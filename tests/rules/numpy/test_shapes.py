"""Functions that move, keep or stretch axes."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of

import chainrules as cr
from chainrules.core import UnsupportedArgument, apply_rrule
from chainrules.testing import check_rule

CASES = [
    case(np.reshape, normal(2, 3), (3, 2)),
    case(np.reshape, normal(2, 3), -1),
    case(np.reshape, normal(2, 3), (3, 2), order="F"),
    case(np.reshape, 2.0, (1, 1)),
    case(np.reshape, normal(2, 3), 6, copy=True),
    case(np.reshape, normal(0, 3), (3, 0), why="empty"),
    case(np.ravel, normal(2, 3)),
    case(np.ravel, normal(2, 3), order="K"),
    case(np.ravel, complex_normal(2, 3), order="F"),
    case(np.transpose, normal(2, 3, 4)),
    case(np.transpose, normal(2, 3, 4), (1, -1, 0)),
    case(np.transpose, 3.0),
    case(np.matrix_transpose, normal(2, 3, 4)),
    case(np.linalg.matrix_transpose, normal(3, 4)),
    case(np.swapaxes, normal(2, 3, 4), 0, -1),
    case(np.moveaxis, normal(2, 3, 4), 0, -1),
    case(np.moveaxis, normal(2, 3, 4), (0, 1), (2, 0)),
    case(np.expand_dims, normal(3), (0, 2)),
    case(np.expand_dims, 2.0, 0),
    case(np.squeeze, normal(1, 3, 1)),
    case(np.squeeze, normal(1, 3, 1), axis=0),
    case(np.squeeze, normal(1), why="to 0-d"),
    case(np.broadcast_to, normal(3, 1), (2, 3, 4)),
    case(np.broadcast_to, 2.0, (2, 2)),
    case(np.broadcast_to, normal(1, 3), (0, 3), why="to nothing"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_float32_stays() -> None:
    check_rule(np.reshape, normal(4).astype(np.float32), (2, 2))


@pytest.mark.parametrize("order", ["A", "K"])
def test_an_order_that_depends_on_memory_is_that_of_the_argument(order: str) -> None:
    x = np.asfortranarray(normal(2, 3))
    y, pullback = rrule_of(np.ravel, x, order=order)
    np.testing.assert_array_equal(y, x.ravel(order="F"))
    np.testing.assert_array_equal(pullback(np.arange(6.0))[0].ravel(order="F"), np.arange(6.0))
    _, dy = frule_of(np.ravel, (x,), (np.arange(6.0).reshape(2, 3),), order=order)
    np.testing.assert_array_equal(dy, [0, 3, 1, 4, 2, 5])


def test_an_order_that_is_none_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="order='K'"):
        apply_rrule(np.ravel, normal(4, 4)[::2, ::2], order="K")


@pytest.mark.parametrize(
    ("f", "axes"),
    [
        (lambda x, axes: np.moveaxis(x, axes, [1, 2]), [0, 1]),
        (lambda x, axes: np.rot90(x, 1, axes), [0, 1]),
        (lambda x, axes: np.roll(x, (1, 1), axes), [0, 1]),
        (lambda x, axes: np.fft.fftshift(x, axes), [0, 1]),
        (lambda x, axes: np.fft.ifftshift(x, axes), [0, 1]),
    ],
)
def test_a_list_of_axes_may_change_after_the_call(f: Any, axes: list[int]) -> None:
    x = normal(2, 3, 4)

    def program(x: Any, change: bool) -> Any:
        own = [*axes]
        y = f(x, own)
        if change:
            own[0] = 2
        return np.sum(y * np.reshape(np.arange(24.0), np.shape(y)))

    np.testing.assert_array_equal(cr.grad(program)(x, True), cr.grad(program)(x, False))
