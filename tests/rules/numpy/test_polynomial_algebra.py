"""The algebra of polynomials, and fits."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of, uniform

from chainrules.testing import check_grads, check_rule

X = np.linspace(-0.8, 1.3, 6)
CASES = [
    *(case(f, normal(3), normal(2, seed=1)) for f in (np.polyadd, np.polysub, np.polymul, np.polydiv)),
    *(case(f, complex_normal(2), normal(3)) for f in (np.polyadd, np.polysub, np.polymul, np.polydiv)),
    *(case(f, normal(3).astype(np.float32), 2.0) for f in (np.polyadd, np.polysub, np.polymul, np.polydiv)),
    case(np.polydiv, normal(5), normal(3, seed=1)),
    *(case(np.polyder, normal(4), m=m) for m in (0, 1, 2, 5)),
    case(np.polyder, complex_normal(3)),
    *(case(np.polyint, normal(3), m=m) for m in (0, 1, 2)),
    case(np.polyint, normal(3), 2, normal(2)),
    case(np.polyint, complex_normal(3), m=2, k=0.5),
    case(np.poly, normal(3)),
    case(np.poly, complex_normal(2)),
    case(np.poly, normal(3, 3), why="of a matrix"),
    case(np.poly, np.zeros(0)),
    case(np.polyfit, X, normal(6), deg=2),
    case(np.polyfit, X, normal(6, 2), deg=1, w=uniform(6)),
    case(np.polyfit, X, normal(6), deg=2, full=True),
    *(case(np.polyfit, X, normal(6), deg=2, cov=cov) for cov in (True, "unscaled")),
    case(np.polyfit, X, normal(6, 2), deg=1, cov=True),
    case(np.polyfit, X.astype(np.float32), normal(6).astype(np.float32), deg=1),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_second_order() -> None:
    check_grads(np.polymul, normal(3), normal(2))
    check_grads(lambda u, v: np.polydiv(u, v)[0], normal(4), normal(2))
    check_grads(np.poly, normal(3))
    check_grads(lambda x, y: np.polyfit(x, y, 1), X[:3], normal(3))


def test_a_leading_zero_of_a_factor_is_dropped() -> None:
    y, pullback = rrule_of(np.polymul, np.array([0.0, 2.0, 1.0]), np.array([3.0, 1.0]))
    np.testing.assert_array_equal(y, [6.0, 5.0, 1.0])
    np.testing.assert_array_equal(pullback(np.array([1.0, 0.0, 0.0]))[0], [0.0, 3.0, 0.0])


def test_a_line_through_two_points() -> None:
    _, pullback = rrule_of(np.polyfit, np.array([1.0, 3.0]), np.array([2.0, 8.0]), 1)
    x_bar, y_bar, _ = pullback(np.array([1.0, 0.0]))
    np.testing.assert_allclose(x_bar, [1.5, -1.5], rtol=1e-10)
    np.testing.assert_allclose(y_bar, [-0.5, 0.5], rtol=1e-10)


def test_errors_are_numpys() -> None:
    for f, args in ((np.polyder, (-1,)), (np.polyint, (-1,)), (np.polyint, (3, [1.0, 2.0]))):
        with pytest.raises(ValueError, match="must be"):
            rrule_of(f, np.ones(3), *args)
