"""Arrays joined; the sequence is one argument."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, frule_of, normal, rrule_of

from chainrules.tangents import Composite, Zero
from chainrules.testing import check_rule, exempt

A, B, V, W = normal(2, 3), normal(2, 3, seed=1), normal(3), normal(2)
ROW_STACK = getattr(np, "row_stack", np.vstack)
EXEMPT = [exempt(ROW_STACK, why="an old name of vstack, of which NumPy warns")]
CASES = [
    case(np.concatenate, [A, B]),
    case(np.concatenate, (A, V[None]), axis=0),
    case(np.concatenate, (A, W[:, None]), axis=-1),
    case(np.concatenate, [A, V, 2.0 * W], axis=None),
    case(np.concatenate, [A, complex_normal(2, 3)], why="real and complex"),
    case(np.concatenate, [[1.0, 2.0], V], why="a list among them"),
    case(np.concatenate, [A[:0], A], why="an empty one"),
    case(np.stack, [V, normal(3, seed=2)]),
    case(np.stack, (A, B), axis=1),
    case(np.stack, (A, B), axis=-1),
    case(np.stack, [1.0, 2.0, 3.0], why="numbers"),
    case(np.vstack, [A, V]),
    case(np.hstack, [A, B]),
    case(np.hstack, (V, W)),
    case(np.column_stack, [W, A]),
    case(np.dstack, [V, normal(3, seed=2)]),
    case(np.dstack, [A, normal(2, 3, 2)]),
    case(np.append, A, V),
    case(np.append, A, B, axis=0),
    case(np.append, V, 2.0),
    case(np.concatenate, [A, B], dtype=np.float32, why="a smaller type"),
    case(np.stack, [V, V], axis=1, dtype=complex),
    case(np.vstack, [A.astype(np.float32), V.astype(np.float32)], dtype=float, casting="safe"),
    case(np.hstack, [V, W], dtype=complex),
    case(np.concatenate, [A, B], dtype=int, casting="unsafe", why="whole numbers"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_a_missing_tangent_is_zero() -> None:
    _, dy = frule_of(np.stack, ([V, V],), (Composite[list](V, Zero()),))
    np.testing.assert_array_equal(dy, [V, 0 * V])


def test_each_array_keeps_its_precision() -> None:
    _, pullback = rrule_of(np.concatenate, [V.astype(np.float32), V])
    (x_bar,) = pullback(np.ones(6))
    assert [part.dtype for part in x_bar] == [np.float32, np.float64]


def test_the_old_name_of_vstack_has_its_rules() -> None:
    y, pullback = rrule_of(ROW_STACK, [np.ones(2), np.ones((1, 2))])
    assert y.shape == (2, 2)
    np.testing.assert_array_equal(pullback(np.array([[1.0, 2.0], [3.0, 4.0]]))[0][1], [[3.0, 4.0]])


def test_the_real_part_of_what_is_joined() -> None:
    with pytest.warns(np.exceptions.ComplexWarning):
        check_rule(np.vstack, [complex_normal(3), V], dtype=float, casting="unsafe")
