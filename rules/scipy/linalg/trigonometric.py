"""Sines, cosines and tangents of matrices, circular and hyperbolic, made of exponentials as in SciPy.

cosm, sinm, tanm, coshm, sinhm, tanhm. Tangents at a singular cosine raise what SciPy's `solve` raises.

See [Higham 2008].
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from ...written import written_out


@written_out(linalg.cosm)
def cosm(A: np.ndarray):
    """cos a = (exp ia + exp −ia) / 2"""
    if np.iscomplexobj(A):
        return 0.5 * (linalg.expm(1j * A) + linalg.expm(-1j * A))
    return np.real(linalg.expm(1j * A))


@written_out(linalg.sinm)
def sinm(A: np.ndarray):
    """sin a = (exp ia − exp −ia) / 2i"""
    if np.iscomplexobj(A):
        return -0.5j * (linalg.expm(1j * A) - linalg.expm(-1j * A))
    return np.imag(linalg.expm(1j * A))


@written_out(linalg.tanm)
def tanm(A: np.ndarray):
    """tan a = (cos a)⁻¹ sin a"""
    return linalg.solve(linalg.cosm(A), linalg.sinm(A))


@written_out(linalg.coshm)
def coshm(A: np.ndarray):
    """cosh a = (exp a + exp −a) / 2"""
    return 0.5 * (linalg.expm(A) + linalg.expm(-A))


@written_out(linalg.sinhm)
def sinhm(A: np.ndarray):
    """sinh a = (exp a − exp −a) / 2"""
    return 0.5 * (linalg.expm(A) - linalg.expm(-A))


@written_out(linalg.tanhm)
def tanhm(A: np.ndarray):
    """tanh a = (cosh a)⁻¹ sinh a"""
    return linalg.solve(linalg.coshm(A), linalg.sinhm(A))
