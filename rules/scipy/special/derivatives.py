"""`derivative(*x, kind=…, orders=…)`: functions of `scipy.special` by all their arguments, to any order.

One function stands for all derivatives of several functions, and its rules raise an order by one. The numbers
come as jets, which have the derivatives by all parameters, at many points at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import Array, NotDifferentiableError, frule, non_differentiable, rrule, unbroadcast
from ....tangents import ZERO, NotImplementedTangent, is_zero
from ...numpy.adjoints import conj
from ...taking import positional, taking
from .bessel_polynomials import bessel_polynomial
from .classical_jets import jacobi, laguerre
from .hypergeometric_jets import one_f_one, two_f_one, zero_f_one
from .linear_forms import Orders, parameters, wanted
from .second_confluent import second_confluent
from .struve_jets import modified_struve, struve
from .wright_jets import log_wright, wright

JETS: dict[str, Callable[..., Any]] = {
    "hyp0f1": lambda b, z, orders: zero_f_one(parameters(b), z, orders),
    "hyp1f1": lambda a, b, z, orders: one_f_one(parameters(a, b), z, orders),
    "hyp2f1": lambda a, b, c, z, orders: two_f_one(parameters(a, b, c), z, orders),
    "hyperu": second_confluent,
    "struve": struve,
    "modstruve": modified_struve,
    "wright_bessel": wright,
    "log_wright_bessel": log_wright,
    "besselpoly": bessel_polynomial,
    "eval_genlaguerre": laguerre,
    "eval_jacobi": jacobi,
}


def derivative(*x: Any, kind: str, orders: Orders) -> Any:
    """The derivative of these orders, by each argument, of the function named `kind`; not implemented where
    one of the points is refused.
    """
    try:
        return derivative_values(x, kind, orders)
    except NotDifferentiableError as refused:
        return NotImplementedTangent(refused.what)


def raised(orders: Orders, i: int) -> Orders:
    """One order more by the i-th argument."""
    return (*orders[:i], orders[i] + 1, *orders[i + 1 :])


non_differentiable(raised, why="computes with orders")


@frule(derivative)
def derivative_frule(tangents, *x: Array, kind, orders):
    """ẏ = Σ y(one order more by xᵢ) ẋᵢ"""
    dy: Any = ZERO
    for i in range(len(x)):
        if not is_zero(tangents[i]):
            dy = dy + derivative(*x, kind=kind, orders=raised(orders, i)) * tangents[i]
    return derivative(*x, kind=kind, orders=orders), dy


@rrule(derivative)
def derivative_rrule(*x: Array, kind, orders, needs):
    """x̄ᵢ = conj(y(one order more by xᵢ)) ȳ"""

    def derivative_pullback(y_bar):
        found: tuple[Any, ...] = ()
        for i in range(len(x)):
            x_bar = ZERO
            if needs[i]:
                slope = derivative(*x, kind=kind, orders=raised(orders, i))
                x_bar = unbroadcast(conj(slope) * y_bar, np.shape(x[i]))
            found = (*found, x_bar)
        return found

    return derivative(*x, kind=kind, orders=orders), derivative_pullback


def derivative_values(x: tuple[Any, ...], kind: str, orders: Orders) -> Any:
    """The numbers of `derivative`."""
    *p, z = np.broadcast_arrays(*x)
    shape, complex_ = z.shape, np.iscomplexobj(z)
    columns = [np.ravel(v).astype(float) for v in p]
    columns.append(np.ravel(z).astype(complex if complex_ else float))
    out = np.full(columns[0].shape, np.nan, columns[-1].dtype)
    usual = np.flatnonzero(np.all(np.isfinite(np.stack(columns)), axis=0))
    if usual.size:
        with np.errstate(all="ignore"):
            out[usual] = wanted(JETS[kind](*(v[usual] for v in columns), orders))
    return out.reshape(shape)[()]


non_differentiable(derivative_values, why="is what the rules of derivative stand for")


def by_orders(kind: str, *orders: int) -> Callable[..., Any]:
    """A derivative as a partial of `scalar_rule`."""

    def partial(y: Any, *x: Any) -> Any:
        return derivative(*x, kind=kind, orders=orders)

    made: Callable[..., Any] = taking(partial, positional("y", *(f"x{j}" for j in range(len(orders)))))
    return made


def by_parameter(f: np.ufunc, i: int) -> Callable[..., Any]:
    """The partial of f by its i-th argument."""
    return by_orders(f.__name__, *(int(j == i) for j in range(f.nin)))
