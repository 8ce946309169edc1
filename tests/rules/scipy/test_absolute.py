"""Second derivatives at zero of what is smooth and written with absolute values."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import chainrules as cr
from chainrules.rules.scipy.absolute import absolute_power, one_sided
from chainrules.testing import check_grads


@pytest.mark.parametrize("p", [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0])
def test_powers(p: float) -> None:
    x = np.array([-1.7, 0.0, 0.3, 1e-200])
    np.testing.assert_allclose(absolute_power(x, p), np.abs(x) ** p, rtol=1e-14, atol=1e-300)
    at = x[[0, 2]]
    check_grads(lambda x, p: absolute_power(x, p), at, p + 0.01, order=2)
    assert cr.derivative(lambda x: absolute_power(x, p))(0.0) == 0.0
    assert cr.derivative(lambda p: absolute_power(0.0, p))(p) == 0.0
    twice = cr.derivative(cr.derivative(lambda x: absolute_power(x, p)))(0.0)
    assert twice == (2.0 if p == 2 else 0.0)


def test_one_side() -> None:
    """What is smooth and chosen by x < 0 has its second derivative at 0."""

    def smooth(x: Any) -> Any:
        small = 1.0 / (2.0 + one_sided(x))
        return np.where(x < 0, small * (2.0 - x), 1.0 + x * x)

    assert cr.derivative(cr.derivative(smooth))(0.0) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("f", "second"),
    [
        (lambda x: stats.gennorm.logpdf(x, 2.0), -2.0),
        (lambda x: stats.gennorm.logpdf(x, 4.0), 0.0),
        (lambda x: stats.jf_skew_t.logpdf(x, 2.0, 3.0), -1.2),
    ],
)
def test_densities_at_zero(f: Any, second: float) -> None:
    step = 1e-4
    assert (f(step) - 2 * f(0.0) + f(-step)) / step**2 == pytest.approx(second, abs=1e-6)
    assert cr.grad(cr.grad(f))(0.0) == pytest.approx(second, abs=1e-12)
