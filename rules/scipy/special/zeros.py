"""Zeros of Bessel, Airy and Kelvin functions: numbers of integers, which have no derivative."""

from __future__ import annotations

from scipy import special

from ....core import non_differentiable

non_differentiable(
    special.ai_zeros,
    special.bei_zeros,
    special.beip_zeros,
    special.ber_zeros,
    special.berp_zeros,
    special.bi_zeros,
    special.jn_zeros,
    special.jnjnp_zeros,
    special.jnp_zeros,
    special.jnyn_zeros,
    special.kei_zeros,
    special.keip_zeros,
    special.kelvin_zeros,
    special.ker_zeros,
    special.kerp_zeros,
    special.y0_zeros,
    special.y1_zeros,
    special.y1p_zeros,
    special.yn_zeros,
    special.ynp_zeros,
    why="takes how many zeros, and of which order",
)
