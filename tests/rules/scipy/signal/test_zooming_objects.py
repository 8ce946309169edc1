"""The chirp z-transform as an object: by the signal, by its points and by its frequencies."""

import numpy as np
import pytest
from scipy.signal import CZT, ZoomFFT
from tests.rules.cases import case, complex_normal, normal

from chainrules.testing import check_grads, check_rule

W, A, X = 0.97 * np.exp(-0.3j), 1.1 + 0.2j, normal(2, 6)
CASES = [
    case(CZT.__call__, CZT(6, 4, W, A), X),
    case(CZT.__call__, CZT(6), complex_normal(6, 2), axis=0),
    case(CZT.__call__, ZoomFFT(6, 0.7, 4), X),
    case(CZT.__call__, ZoomFFT(6, [0.1, 0.7], 5, fs=3.0, endpoint=True), X),
    case(CZT.points, CZT(6, 4, W, A)),
    *(case(getattr, CZT(6, 4, W, A), name) for name in ("w", "a")),
    *(case(getattr, ZoomFFT(6, [0.1, 0.7], 4), name) for name in ("f1", "f2")),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("endpoint", [False, True])
@pytest.mark.parametrize("m", [1, 5])
def test_programs_that_make_one_and_call_it(m, endpoint):
    if m == 1 and endpoint:
        pytest.skip("SciPy divides by zero")
    check_grads(lambda f, x: abs(ZoomFFT(6, f, m, endpoint=endpoint)(x)), np.array([0.1, 0.7]), X, order=1)


def test_by_its_points():
    check_grads(lambda r, t, x: abs(CZT(6, 4, r * np.exp(1j * t), A)(x)), 0.97, -0.3, X, order=1)
    check_grads(lambda f: abs(ZoomFFT(6, f, 4).points() - ZoomFFT(6, f, 4).f2), np.array([0.1, 0.7]), order=1)
