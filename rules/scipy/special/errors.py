"""Error functions and their inverses: erf, erfc, erfi, erfcx, wofz, Dawson's and Voigt's functions.

The derivative of `erf` is (2/√π) e^{−x²} (DLMF 7.2.1); those of the scaled functions come from Faddeeva's,
without cancellation. `voigt_profile` by σ is σ times its second derivative by x, which is 0 at σ = 0; with
σ = γ = 0 it is no function, and its derivatives are NaN. The inverses have infinite slopes at the ends.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from ....core import scalar_rule
from .faddeeva import ROOT_PI, dawson, faddeeva
from .inverse import inverse_rule
from .quietly import quietly

SLOPE = 2 / ROOT_PI

scalar_rule(special.erf, quietly(lambda y, z: SLOPE * np.exp(-z * z)))
scalar_rule(special.erfc, quietly(lambda y, z: -SLOPE * np.exp(-z * z)))
scalar_rule(special.erfi, quietly(lambda y, z: SLOPE * np.exp(z * z)))
scalar_rule(special.wofz, lambda y, z: faddeeva(z, 1))
inverse_rule(special.erfinv, special.erf, 0)
inverse_rule(special.erfcinv, special.erfc, 0)


def _scaled_slope(y, z):
    """i w′(iz); of real x it is real"""
    slope = 1j * faddeeva(1j * z, 1)
    return slope if np.iscomplexobj(z) else np.real(slope)


def _dawson_slope(y, z):
    """1 − 2zD = (i√π/2)(−2z e^{−z²} − w′(z))"""
    if np.iscomplexobj(z):
        return 0.5j * ROOT_PI * (-2.0 * z * np.exp(-z * z) - faddeeva(z, 1))
    return dawson(z, 1)


scalar_rule(special.erfcx, _scaled_slope)
scalar_rule(special.dawsn, quietly(_dawson_slope))


def _voigt(x, s, g, n):
    """The n-th derivative by x of w(z)/(σ√(2π)), z = (x + iγ)/(σ√2), of which V is the real part."""
    sharp = s == 0
    width = np.where(sharp, 1.0, s) * np.sqrt(2.0)
    z = x + 1j * g
    gauss = faddeeva(z / width, n) / (ROOT_PI * width * width**n)
    pole = 1j / (np.pi * np.where(sharp, z, 1.0) ** (n + 1)) * (-1.0) ** n * (2.0 if n == 2 else 1.0)
    return np.where(sharp, pole, gauss)


scalar_rule(
    special.voigt_profile,
    quietly(lambda y, x, s, g: np.real(_voigt(x, s, g, 1))),
    quietly(lambda y, x, s, g: s * np.real(_voigt(x, s, g, 2))),
    quietly(lambda y, x, s, g: -np.imag(_voigt(x, s, g, 1))),
)
