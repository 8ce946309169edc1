"""Bounds and constraints as objects: what their constructors are given is what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import optimize

from ....core import Array, frule, rrule, unbroadcast
from ....tangents import ZERO, Composite, is_zero


def bounds(lb: Any, ub: Any, keep_feasible: Any) -> Any:
    """The object, its arrays its own: of numbers alone SciPy makes views of one number."""
    given = (lb, ub, keep_feasible)
    shape = np.broadcast_shapes((1,), *[np.shape(v) for v in given])
    return optimize.Bounds(*[np.array(np.broadcast_to(v, shape)) for v in given])


def in_shape(t: Any, stored: Any) -> Any:
    """The tangent of a field, from that of what was given for it."""
    return t if is_zero(t) else np.broadcast_to(t, np.shape(stored))


def given(t: Any, shape: tuple[int, ...]) -> Any:
    """The cotangent of what was given for a field, from that of the field."""
    return t if is_zero(t) else unbroadcast(t, shape)


@frule(optimize.Bounds)
def bounds_frule(tangents, lb: Array = -np.inf, ub: Array = np.inf, *, keep_feasible=False):
    """y holds lb and ub, as arrays of one shape"""
    y = bounds(lb, ub, keep_feasible)
    dlb, dub = (*tangents, ZERO, ZERO)[:2]
    return y, Composite[optimize.Bounds](lb=in_shape(dlb, y.lb), ub=in_shape(dub, y.ub))


@rrule(optimize.Bounds)
def bounds_rrule(lb: Array = -np.inf, ub: Array = np.inf, *, keep_feasible=False):
    """The cotangents are those of the fields"""
    shapes = np.shape(lb), np.shape(ub)

    def bounds_pullback(y_bar):
        return given(y_bar.lb, shapes[0]), given(y_bar.ub, shapes[1])

    return bounds(lb, ub, keep_feasible), bounds_pullback


@frule(optimize.LinearConstraint)
def linear_frule(tangents, A: Array, lb: Array = -np.inf, ub: Array = np.inf, *, keep_feasible=False):
    """y holds A, lb and ub"""
    y = optimize.LinearConstraint(A, lb, ub, keep_feasible)
    dA, dlb, dub = (*tangents, ZERO, ZERO)[:3]
    fields = {"A": in_shape(dA, y.A), "lb": in_shape(dlb, y.lb), "ub": in_shape(dub, y.ub)}
    return y, Composite[optimize.LinearConstraint](**fields)


@rrule(optimize.LinearConstraint)
def linear_rrule(A: Array, lb: Array = -np.inf, ub: Array = np.inf, *, keep_feasible=False):
    """The cotangents are those of the fields"""
    shapes = np.shape(A), np.shape(lb), np.shape(ub)

    def linear_pullback(y_bar):
        return tuple([given(t, s) for t, s in zip((y_bar.A, y_bar.lb, y_bar.ub), shapes, strict=True)])

    return optimize.LinearConstraint(A, lb, ub, keep_feasible), linear_pullback


@frule(optimize.NonlinearConstraint)
def nonlinear_frule(tangents, fun: Callable, lb: Array, ub: Array, *, jac="2-point", **options):
    """y holds the function, lb and ub"""
    dfun, dlb, dub = tangents
    y = optimize.NonlinearConstraint(fun, lb, ub, jac, **options)
    return y, Composite[optimize.NonlinearConstraint](fun=dfun, lb=dlb, ub=dub)


@rrule(optimize.NonlinearConstraint)
def nonlinear_rrule(fun: Callable, lb: Array, ub: Array, *, jac="2-point", **options):
    """The cotangents are those of the fields"""

    def nonlinear_pullback(y_bar):
        return y_bar.fun, y_bar.lb, y_bar.ub

    return optimize.NonlinearConstraint(fun, lb, ub, jac, **options), nonlinear_pullback
