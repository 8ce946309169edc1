"""Airy functions, scaled and integrated: airy, airye, itairy.

Ai″ = z Ai (DLMF 9.2.1). The scaled ones are e^{ζ} Ai and e^{−|Re ζ|} Bi, ζ = ⅔ z^{3/2}: far out on the
positive axis what is left of their derivatives comes from an expansion, since the two terms cancel; Bi scaled
has no complex derivative. At negative real z e^{ζ} Ai is not real, and NaN, and Bi has no scale.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from ....core import Array, frule, rrule
from ....tangents import ZERO, Composite, is_zero, unthunk
from ...numpy.adjoints import conj
from .outputs import outputs_rule

FAR = 60.0


def _expansion(count: int) -> list[float]:
    """s = Σ aₖ z^{−1−3k/2} solves s′ + s² = 2√z s + 1/(2√z), the equation of s = (e^{ζ}Ai)′/(e^{ζ}Ai)."""
    a = [-0.25]
    for k in range(count - 1):
        squares = sum(a[i] * a[k - i] for i in range(k + 1))
        a.append(0.5 * (squares - (1 + 1.5 * k) * a[k]))
    return a


EXPANSION = _expansion(9)


def cancelled(y: Any, near: Any, z: Any, sign: int) -> Any:
    """The derivative of e^{ζ}Ai (sign 1) or e^{−ζ}Bi (−1) at real z: far out by the expansion."""
    out = z > FAR
    if not np.any(out):
        return near
    z = np.where(out, z, FAR)
    small = sign / (z * np.sqrt(z))
    total = 0.0 * z
    for a in EXPANSION[::-1]:
        total = total * small + a
    return np.where(out, y * total / z, near)


outputs_rule(
    special.airy,
    [lambda y, z: y[1]],
    [lambda y, z: z * y[0]],
    [lambda y, z: y[3]],
    [lambda y, z: z * y[2]],
)
outputs_rule(
    special.itairy,
    [lambda y, x: special.airy(x)[0]],
    [lambda y, x: special.airy(x)[2]],
    [lambda y, x: special.airy(-x)[0]],
    [lambda y, x: special.airy(-x)[2]],
)


def real_slopes(y: Any, z: Any) -> tuple[Any, ...]:
    """The derivatives of the four scaled functions by a real argument."""
    root = np.sqrt(np.maximum(z, 0.0))
    above = z >= 0
    root_ai = np.where(above, root, np.nan)
    ai = cancelled(y[0], y[1] + root_ai * y[0], z, 1)
    bi = cancelled(y[2], y[3] - root * y[2], z, -1)
    return ai, root_ai * ai, bi, np.where(above, -root * bi, z * y[2])


def complex_slopes(y: Any, z: Any) -> tuple[tuple[Any, ...], Any]:
    """p of the four, and −sign(Re ζ) √z of those with a modulus: ẏ = p ż + y Re(q ż)"""
    root = np.sqrt(z)
    q = -np.sign(np.real(z * root)) * root
    return (y[1] + root * y[0], z * y[0] + root * y[1], y[3], z * y[2]), q


@frule(special.airye)
def airye_frule(tangents, z: Array):
    """(e^{ζ}Ai, e^{ζ}Ai′, e^{−|Re ζ|}Bi, e^{−|Re ζ|}Bi′), ζ = ⅔ z^{3/2}, ζ′ = √z"""
    (dz,) = tangents
    y = special.airye(z)
    if not np.iscomplexobj(z):
        return y, Composite[tuple](*[p * dz for p in real_slopes(y, z)])
    p, q = complex_slopes(y, z)
    along = np.real(q * dz)
    return y, Composite[tuple](p[0] * dz, p[1] * dz, p[2] * dz + y[2] * along, p[3] * dz + y[3] * along)


@rrule(special.airye)
def airye_rrule(z: Array):
    """z̄ = Σ conj(pᵢ) ȳᵢ + conj(q) Re(conj(yᵢ) ȳᵢ), the last of Bi and Bi′"""
    y = special.airye(z)

    def airye_pullback(y_bar):
        z_bar: Any = ZERO
        real = not np.iscomplexobj(z)
        p, q = (real_slopes(y, z), 0.0) if real else complex_slopes(y, z)
        for i in range(4):
            seed = unthunk(y_bar[i])
            if not is_zero(seed):
                z_bar = z_bar + conj(p[i]) * seed
                if i > 1 and not real:
                    z_bar = z_bar + conj(q) * np.real(conj(y[i]) * seed)
        return z_bar

    return y, airye_pullback
