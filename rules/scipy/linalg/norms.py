"""Norms: norm, of vectors and matrices; the rule is NumPy's, with its corners."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from ....core import Array
from ...written import as_found, own, written_out
from .systems import check_finite_entries


@written_out(linalg.norm)
def norm(a: Array, *, ord=None, axis=None, keepdims=False, check_finite=True):
    """y = ‖a‖"""
    check_finite_entries(a, check_finite)
    y = np.linalg.norm(a, ord, axis, keepdims)
    return as_found(own(linalg.norm, a, ord, axis, keepdims), y) if np.result_type(a).char in "fF" else y
