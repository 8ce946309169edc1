"""Determinants: det, for one matrix or a stack of them, also singular ones; the rule is NumPy's."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from ....core import Array
from ...written import written_out
from .systems import check_finite_entries, in_double


@written_out(linalg.det)
def det(a: Array, *, overwrite_a=False, check_finite=True):
    """y = det a"""
    check_finite_entries(a, check_finite)
    return np.linalg.det(in_double(a) if np.size(a) else np.multiply(a, np.ones(())))
