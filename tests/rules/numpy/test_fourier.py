"""Fourier transforms with every length, axis and norm."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal, rrule_of

from chainrules.testing import check_grads, check_rule

F = np.fft
NORMS = ("backward", "ortho", "forward")
X, Z = normal(2, 5), complex_normal(2, 5)
LINES = [F.fft, F.ifft, F.irfft, F.hfft]
REAL_LINES = [F.rfft, F.ihfft]
PLANES = [F.fft2, F.ifft2, F.irfft2, F.fftn, F.ifftn, F.irfftn]
REAL_PLANES = [F.rfft2, F.rfftn]
CASES = [
    *(case(f, x, norm=norm) for f in (*LINES, *REAL_LINES) for x in (X,) for norm in NORMS),
    *(case(f, Z, n=n) for f in LINES for n in (None, 1, 2, 4, 5, 8, 9)),
    *(case(f, X, n=n) for f in REAL_LINES for n in (1, 2, 4, 7, 8)),
    *(case(f, Z, axis=0, why="axis") for f in LINES),
    *(case(f, X.astype(np.float32)) for f in (*LINES, *REAL_LINES, *PLANES, *REAL_PLANES)),
    *(case(f, complex_normal(2, 4, 3)) for f in PLANES),
    *(case(f, normal(2, 4, 3), norm="ortho") for f in (*PLANES, *REAL_PLANES)),
    *(case(f, complex_normal(2, 3, 4), s=(4, 3), axes=(0, 2)) for f in PLANES),
    *(case(f, normal(2, 3, 4), s=(4, -1), axes=(2, 0)) for f in REAL_PLANES),
    case(F.fftn, Z, axes=(1, 1), why="one axis twice"),
    *(case(f, x, axes=axes) for f in (F.fftshift, F.ifftshift) for x in (X, Z) for axes in (None, 1, (0, 1))),
    *(case(f, n, 0.3) for f in (F.fftfreq, F.rfftfreq) for n in (7, 8)),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("f", [*LINES, *REAL_LINES, F.rfft2, F.irfftn])
def test_second_order(f: Any) -> None:
    check_grads(lambda x: np.abs(f(x)) ** 2, normal(3, 4))


@pytest.mark.parametrize("f", [F.fftfreq, F.rfftfreq])
def test_frequencies_with_their_number_among_the_primals(f: Any) -> None:
    check_grads(f, 7, 0.3)


def test_a_power_spectrum_has_the_gradient_that_parseval_gives() -> None:
    y, pullback = rrule_of(F.rfft, X[0])
    weights = np.array([1.0, 2.0, 2.0])
    np.testing.assert_allclose(pullback(weights * y)[0], 5 * X[0], rtol=1e-12)


def test_what_a_real_output_ignores_has_a_cotangent_of_zero() -> None:
    _, pullback = rrule_of(F.irfft, complex_normal(3))
    np.testing.assert_array_equal(np.imag(pullback(normal(4))[0])[[0, 2]], 0.0)
