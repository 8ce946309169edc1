"""Truncated Taylor series in several parameters, multiplied and divided by linear forms of them.

A jet is the array of the coefficients at many points: `jet[i, j, …]` stands with sⁱ tʲ …, the points lie
along the last axis, and the derivative of orders i, j, … is i! j! … times it. A form is a value at each
point and the slope by each parameter, value + slope·(s, t, …). The terms of a hypergeometric series are
products and quotients of forms.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import special

Jet = Any  # an array (i + 1, j + 1, …, points)
Orders = tuple[int, ...]  # of a derivative, by each argument


class Form(NamedTuple):
    """value + slopes·(s, t, …)"""

    value: Any
    slopes: tuple[Any, ...]

    def plus(self, shift: Any) -> Form:
        """The form whose value is moved."""
        return Form(self.value + shift, self.slopes)

    def less(self, other: Form) -> Form:
        """The difference of two forms."""
        return Form(
            self.value - other.value, tuple(s - t for s, t in zip(self.slopes, other.slopes, strict=True))
        )

    def at(self, rows: Any) -> Form:
        """The form of some of the points."""
        return Form(self.value[rows], self.slopes)


def parameters(*values: Any) -> list[Form]:
    """Each by itself."""
    return [Form(v, tuple(int(j == i) for j in range(len(values)))) for i, v in enumerate(values)]


def constant(value: Any, orders: tuple[int, ...]) -> Jet:
    """The jet that does not depend on the parameters."""
    made = np.zeros((*(order + 1 for order in orders), len(value)), np.result_type(value, float))
    made[(0,) * len(orders)] = value
    return made


def times(jet: Jet, form: Form) -> Jet:
    """The product."""
    made = form.value * jet
    for i, slope in enumerate(form.slopes):
        if jet.shape[i] > 1 and np.any(slope):
            head = (slice(None),) * i
            lower = jet[(*head, slice(None, -1))]
            made[(*head, slice(1, None))] += lower if isinstance(slope, int) and slope == 1 else slope * lower
    return made


def over(jet: Jet, form: Form) -> Jet:
    """The quotient, coefficient by coefficient."""
    made = jet / form.value
    for place in np.ndindex(jet.shape[:-1]):
        for i, slope in enumerate(form.slopes):
            if place[i] and np.any(slope):
                before = (*place[:i], place[i] - 1, *place[i + 1 :])
                made[place] -= slope * made[before] / form.value
    return made


def product(a: Jet, b: Jet) -> Jet:
    """The product of two jets."""
    made = np.zeros(np.broadcast_shapes(a.shape, b.shape), np.result_type(a, b))
    for place in np.ndindex(a.shape[:-1]):
        kept = tuple(slice(n, None) for n in place)
        made[kept] += a[place] * b[tuple(slice(None, b.shape[i] - n) for i, n in enumerate(place))]
    return made


def quotient(a: Jet, b: Jet) -> Jet:
    """a over b, coefficient by coefficient."""
    made = np.zeros(a.shape, np.result_type(a, b))
    zero = (0,) * (a.ndim - 1)
    for place in np.ndindex(a.shape[:-1]):
        made[place] = (a[place] - product(made, b)[place]) / b[zero]
    return made


def wanted(jet: Jet) -> Any:
    """The derivative of the highest orders."""
    return jet[(-1,) * (jet.ndim - 1)] * math.prod(math.factorial(n - 1) for n in jet.shape[:-1])


def moved(form: Form, orders: Orders) -> bool:
    """Whether derivatives of these orders move the form."""
    return any(order > 0 and np.any(slope) for order, slope in zip(orders, form.slopes, strict=False))


def split(forms: list[Form], jet: Jet) -> tuple[list[Form], list[Form]]:
    """The forms that the parameters of the jet leave as they are, and those that they move."""
    moving = [moved(form, tuple(n - 1 for n in jet.shape)) for form in forms]
    return [f for f, m in zip(forms, moving, strict=True) if not m], [
        f for f, m in zip(forms, moving, strict=True) if m
    ]


def composed(jet: Jet, coefficients: list[Any], slopes: tuple[Any, ...]) -> Jet:
    """The jet times Σ coefficient_k (slopes·(s, t, …))ᵏ."""
    total, power = coefficients[0] * jet, jet
    for coefficient in coefficients[1:]:
        power = times(power, Form(np.zeros(jet.shape[-1]), slopes))
        total = total + coefficient * power
    return total


def everywhere(holds: Any) -> Any:
    """At which points it holds of all coefficients."""
    return np.all(holds, axis=tuple(range(holds.ndim - 1)))


def degree(jet: Jet) -> int:
    """The highest order of all parameters together."""
    return sum(int(n) - 1 for n in jet.shape[:-1])


def times_power(jet: Jet, logarithm: Any, form: Form) -> Jet:
    """The jet times e to the logarithm times the form."""
    start = np.exp(logarithm * form.value)
    return composed(
        jet,
        [start * logarithm**k / math.factorial(k) for k in range(degree(jet) + 1)],
        form.slopes,
    )


def times_gamma(jet: Jet, above: list[Form], below: list[Form]) -> Jet:
    """The jet times Γ of each form above and over Γ of each below, in which poles of Γ are zeros."""
    scale, logarithm = np.ones(jet.shape[-1]), np.zeros(jet.shape[-1])
    for form, sign in [*((form, 1) for form in above), *((form, -1) for form in below)]:
        jet, w = _raised(jet, form, sign)
        scale, logarithm = scale * special.gamma(w) ** sign, logarithm + sign * special.gammaln(w)
        psi = [special.psi(w), *(special.polygamma(k, w) / math.factorial(k) for k in range(1, degree(jet)))]
        made: list[Any] = [np.ones_like(w)]
        for k in range(degree(jet)):  # (Γ±)′ = ±ψ Γ±
            made.append(sign * sum(psi[i] * made[k - i] for i in range(k + 1)) / (k + 1))
        jet = composed(jet, made, form.slopes)
    return jet * np.where(np.isfinite(scale) & (scale != 0), scale, np.exp(logarithm))


def _raised(jet: Jet, form: Form, sign: int) -> tuple[Jet, Any]:
    """What the form is raised to, at least ½, by Γ(w + 1) = w Γ(w)"""
    steps = np.maximum(np.ceil(0.5 - form.value), 0.0)
    for k in range(int(np.max(steps, initial=0.0))):
        step = times(jet, form.plus(k)) if sign < 0 else over(jet, form.plus(k))
        jet = np.where(k < steps, step, jet)
    return jet, form.value + steps
