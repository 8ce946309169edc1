"""What of `scipy.special` has no derivative, grouped by the reason: zeros, whole-number sequences, signs."""

from __future__ import annotations

from scipy import special

from ....core import non_differentiable

non_differentiable(
    *(special.ai_zeros, special.bi_zeros, special.erf_zeros, special.fresnel_zeros),
    *(special.fresnelc_zeros, special.fresnels_zeros, special.jn_zeros, special.jnjnp_zeros),
    *(special.jnp_zeros, special.jnyn_zeros, special.kelvin_zeros, special.y0_zeros, special.y1_zeros),
    *(special.y1p_zeros, special.yn_zeros, special.ynp_zeros, special.bei_zeros, special.beip_zeros),
    *(special.ber_zeros, special.berp_zeros, special.kei_zeros, special.keip_zeros),
    *(special.ker_zeros, special.kerp_zeros),
    why="its arguments are a number of zeros and a whole order",
)
non_differentiable(
    *(special.roots_legendre, special.roots_chebyt, special.roots_chebyu, special.roots_chebyc),
    *(special.roots_chebys, special.roots_laguerre, special.roots_hermite, special.roots_hermitenorm),
    *(special.roots_sh_legendre, special.roots_sh_chebyt, special.roots_sh_chebyu),
    why="its argument is a number of nodes",
)
non_differentiable(
    *(special.bernoulli, special.euler, special.factorial2, special.factorialk, special.stirling2),
    why="defined for whole numbers only",
)
non_differentiable(special.gammasgn, special.round, why="is constant between jumps")
non_differentiable(
    *(special.errstate, special.geterr, special.seterr),
    why="changes or reads settings",
)
