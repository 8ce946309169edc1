"""Filters of Fourier transforms by the spectrum and by width, size and shift."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, complex_normal, normal

from chainrules.rules.scipy.ndimage.spectra import ellipsoid
from chainrules.testing import check_rule

N = ndimage
Z = complex_normal(4, 5)
SMOOTH = [N.fourier_gaussian, N.fourier_uniform, N.fourier_shift]
CASES = [
    *(case(f, Z, 0.7) for f in SMOOTH),
    *(case(f, Z, np.array([0.7, 1.3]), n=8) for f in SMOOTH),
    *(case(f, normal(4, 3), 0.7, n=7, axis=0) for f in SMOOTH),
    case(N.fourier_ellipsoid, Z, size=2.0),
    case(N.fourier_ellipsoid, Z, size=(2.0, 3.0), n=8),
    case(ellipsoid, normal(4, 5), size=2.0),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)
