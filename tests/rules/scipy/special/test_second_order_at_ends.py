"""Second derivatives at the ends of a domain and at zeros, where formulas are 0/0 or 0 log 0.

Expected are those a little inside, which formulas without a case compute.
"""

from typing import Any

import numpy as np
import pytest
from scipy import special

import chainrules as cr

AT: list[tuple[Any, tuple[float, ...], tuple[int, ...], float]] = [  # by which arguments, the last from where
    (special.gammainc, (3.5, 0.0), (0, 1), 1e-6),
    (special.gammaincc, (2.0, 0.0), (0, 1), 1e-6),
    (special.chdtr, (7.0, 0.0), (0, 1), 1e-6),
    (special.gdtr, (1.3, 3.5, 0.0), (0, 1, 2), 1e-6),
    (special.pdtr, (3.0, 0.0), (1,), 1e-6),
    (special.betainc, (3.5, 4.5, 0.0), (0, 1, 2), 1e-6),
    (special.betainc, (3.5, 4.5, 1.0), (0, 1, 2), -1e-6),
    (special.betainc, (2.0, 2.5, 0.0), (0, 1, 2), 1e-6),
    (special.betaincc, (4.0, 3.0, 1.0), (0, 1, 2), -1e-6),
    (special.fdtr, (7.0, 9.0, 0.0), (0, 1, 2), 1e-6),
    (special.boxcox, (0.0, 3.0), (1, 0), 1e-6),
    (special.boxcox1p, (-1.0, 3.0), (1, 0), 1e-6),
    (special.besselpoly, (0.0, 0.5, 4.0), (0,), 1e-6),
    (special.besselpoly, (1.0, 0.5, 0.5), (1, 2, 0), 1e-6),
    (special.poch, (0.0, 2.5), (1, 0), 1e-6),
    (special.poch, (-2.0, 3.3), (1, 0), 1e-6),
]


@pytest.mark.parametrize(("f", "at", "by", "step"), AT)
def test_second_derivatives(f: Any, at: tuple[float, ...], by: tuple[int, ...], step: float) -> None:
    def of(varied: Any) -> Any:
        given: list[Any] = list(at)
        for k, i in enumerate(by):
            given[i] = varied[k]
        return f(*given)

    here = np.array([at[i] for i in by])
    there = np.append(here[:-1], here[-1] + step)
    assert np.allclose(cr.hessian(of)(here), cr.hessian(of)(there), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("f", [special.rel_entr, special.kl_div, special.xlogy])
def test_mixed_derivatives_where_the_first_argument_is_zero(f: Any) -> None:
    by_second = cr.grad(f, 1)
    slope = (by_second(1e-6, 2.0) - by_second(0.0, 2.0)) / 1e-6
    assert cr.grad(lambda a: by_second(a, 2.0))(0.0) == pytest.approx(slope, rel=1e-6)


def test_both_zero() -> None:
    assert cr.grad(special.xlogy, 1)(0.0, 0.0) == 0.0
    assert cr.grad(special.rel_entr, 1)(0.0, 0.0) == 0.0


def test_infinite_slopes_of_besselpoly_at_zero() -> None:
    assert cr.grad(special.besselpoly)(0.0, 0.5, 0.5) == np.inf
    assert cr.grad(special.besselpoly)(0.0, 0.5, 1.0) == pytest.approx(0.4)
