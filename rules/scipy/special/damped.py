"""Scaled functions, y = e^{−|Re L(z)|} f(z): the correction that the modulus makes to a derivative.

Such a function of a complex number has no complex derivative. With p = e^{−|Re L|} f′, q = L′ and
c = −sign(Re L) y it moves by ẏ = p ż + c Re(q ż); where Re L = 0, a corner, by the middle of the slopes,
c = 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core.broadcasting import fit
from ....core.seeds import absorbs, answer_to, ready
from ....core.ufuncs import takes_keywords
from ....tangents import ZERO, is_zero, project_to
from ...numpy.adjoints import conj

Partial = Callable[..., Any]


def _written_here(made: Any) -> None:
    """Let a rule say that it stands here."""
    made.__module__ = __name__


def damped_rule(f: np.ufunc, slope: Partial, plain: Partial, correction: Partial, order: Partial) -> None:
    """Register both rules of a scaled function of an order v and an argument z.

    `slope(y, v, z)` is the derivative by a real z; for a complex z `plain(v, z)` is p and
    `correction(y, v, z)` gives c and q; `order(y, v, z)` is the partial by v.
    """

    def damped_frule(tangents: Any, v: Any, z: Any) -> Any:
        dv, dz = tangents
        y = f(v, z)
        dy: Any = ZERO
        if not is_zero(dz):
            dz = ready(dz)
            if np.iscomplexobj(y):
                c, q = correction(y, v, z)
                dy = plain(v, z) * dz + c * np.real(q * dz)
            else:
                dy = slope(y, v, z) * dz
        if not is_zero(dv):
            dy = order(y, v, z) * ready(dv) + dy
        return y, dy if absorbs(dy) else project_to(y)(np.broadcast_to(dy, np.shape(y)))

    def for_call(needs: tuple[bool, ...], types: tuple[Any, ...]) -> Any:
        need_v, need_z = needs

        def damped_rrule(v: Any, z: Any) -> Any:
            y = f(v, z)

            def damped_pullback(y_bar: Any) -> Any:
                if absorbs(y_bar):
                    return answer_to(y_bar), answer_to(y_bar)
                y_bar = ready(y_bar)
                v_bar = z_bar = ZERO
                if need_v:
                    partial = order(y, v, z)
                    v_bar = partial if absorbs(partial) else fit(conj(partial) * y_bar, v)
                if need_z and np.iscomplexobj(y):
                    c, q = correction(y, v, z)
                    z_bar = fit(conj(plain(v, z)) * y_bar + conj(q) * np.real(conj(c) * y_bar), z)
                elif need_z:
                    z_bar = fit(slope(y, v, z) * y_bar, z)
                return v_bar, z_bar

            return y, damped_pullback

        return damped_rrule

    rule = for_call((True, True), ())
    rule.for_call = for_call
    takes_keywords(f, damped_frule, rule, _written_here, complete=True)
