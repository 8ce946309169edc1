"""Laguerre's and Jacobi's functions of real degree by degree and parameters, as jets of all of them.

Over the binomial coefficient (n+α over n) they are ₁F₁(−n; α + 1; x) and ₂F₁(−n, n + α + β + 1; α + 1; z),
z = (1 − x)/2 (DLMF 18.5.12, 18.5.7), whose parameters are linear in those of the polynomial. By x they are
those of one degree less (18.9.15, 18.9.23).
"""

from __future__ import annotations

from typing import Any

from .hypergeometric_jets import one_f_one, two_f_one
from .linear_forms import Form, Jet, Orders, times, times_gamma


def laguerre(n: Any, a: Any, x: Any, orders: Orders) -> Jet:
    """(−1)ᵐ L of degree n − m and parameter α + m."""
    *others, m = orders
    n, a = n - m, a + m
    made = one_f_one([Form(-n, (-1, 0)), Form(a + 1, (0, 1))], x, (*others, 0))
    return _binomial((-1) ** m * made, Form(n, (1, 0)), Form(a, (0, 1)))


def jacobi(n: Any, a: Any, b: Any, x: Any, orders: Orders) -> Jet:
    """2⁻ᵐ (n + α + β + 1)ₘ P of degree n − m and parameters α + m, β + m."""
    *others, m = orders
    total = Form(n + a + b + 1, (1, 1, 1))
    n, a = n - m, a + m
    forms = [Form(-n, (-1, 0, 0)), total.plus(m), Form(a + 1, (0, 1, 0))]
    made = 0.5**m * two_f_one(forms, 0.5 * (1 - x), (*others, 0))
    for k in range(m):
        made = times(made, total.plus(k))
    return _binomial(made, Form(n, (1, 0, 0)), Form(a, (0, 1, 0)))


def _binomial(jet: Jet, n: Form, a: Form) -> Jet:
    """The jet times Γ(n + α + 1)/(Γ(n + 1) Γ(α + 1))"""
    both = Form(n.value + a.value + 1, tuple(s + t for s, t in zip(n.slopes, a.slopes, strict=True)))
    return times_gamma(jet, [both], [n.plus(1), a.plus(1)])
