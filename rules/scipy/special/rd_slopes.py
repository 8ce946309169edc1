"""The slopes of Carlson's R_D by doubling, for real arguments: all points at once.

R_D(x, y, z) = 3 Σ 4⁻ⁿ/(√zₙ (zₙ + λₙ)) + 4⁻ᴺ R_D(x_N, y_N, z_N), where each step adds λ = √x√y + √x√z + √y√z
to the arguments and divides by 4, until they are alike; then the series about their mean (Carlson 1995, §2;
DLMF 19.26.20 and 19.36.2). Each step is differentiated beside itself. Every term has a slope of one sign, so
that nothing cancels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ALIKE = 1e-5  # of the mean: what the series leaves out is of the third power in the slope


def rd_slope(i: int, x: Any, y: Any, z: Any) -> Any:
    """∂R_D/∂(x, y or z), for x, y ≥ 0 of which one may be zero, not the one that moves, and z > 0.

    Not finite where arguments are so far apart that a power overflows on the way.

    Example: >>> round(float(rd_slope(2, *np.ones((3, 1)))[0]), 12)
             -0.9
    """
    v, dv = [x, y, z], [np.full_like(x, float(j == i)) for j in range(3)]
    scale, slope = 1.0, np.zeros_like(x)
    while True:
        mean = (v[0] + v[1] + 3 * v[2]) / 5
        if np.fmax.reduce([np.abs(mean - w) / mean for w in v], axis=None, initial=0.0) < ALIKE:
            return slope + scale * _near_the_mean(v, dv, mean)
        r = [np.sqrt(w) for w in v]
        dr = [dw / (2 * np.where(s == 0, 1.0, s)) for s, dw in zip(r, dv, strict=True)]
        lam = r[0] * r[1] + (r[0] + r[1]) * r[2]
        dlam = dr[0] * (r[1] + r[2]) + dr[1] * (r[0] + r[2]) + dr[2] * (r[0] + r[1])
        below = v[2] + lam
        slope = slope - 3 * scale / (r[2] * below) * (dr[2] / r[2] + (dv[2] + dlam) / below)
        v, dv, scale = [(w + lam) / 4 for w in v], [(dw + dlam) / 4 for dw in dv], scale / 4


def _near_the_mean(v: list[Any], dv: list[Any], mean: Any) -> Any:
    """The slope of A^(−3/2) (1 − 3E₂/14 + E₃/6), E₂ = XY − 6Z², E₃ = (3XY − 8Z²) Z"""
    dmean = (dv[0] + dv[1] + 3 * dv[2]) / 5
    (x, dx), (y, dy) = (
        ((mean - w) / mean, (w * dmean / mean - dw) / mean) for w, dw in zip(v[:2], dv[:2], strict=True)
    )
    z, dz = -(x + y) / 3, -(dx + dy) / 3
    xy, dxy = x * y, dx * y + x * dy
    e2, de2 = xy - 6 * z * z, dxy - 12 * z * dz
    e3, de3 = (3 * xy - 8 * z * z) * z, 3 * dxy * z + (3 * xy - 24 * z * z) * dz
    series, dseries = 1 - 3 * e2 / 14 + e3 / 6, -3 * de2 / 14 + de3 / 6
    return mean**-1.5 * (dseries - 1.5 * dmean / mean * series)
