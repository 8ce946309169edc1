"""The types of tangents, cotangents and variables: `tangent_type`, `cotangent_type`, `all_variables_type`.

Numbers and arrays are their own tangents, integers have floats. A type registered by `natural_tangent` has
what was registered; one declared by `differentiable_type` has its `TangentVector`. A union has the union of
its cases'. `manifold` declares a type whose tangents are of another type, with a cotangent type of its own
where it needs one.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, Union, get_args, get_origin

import numpy as np

from ..core.errors import NotDifferentiableError
from ..tangents import Composite, natural_tangent, to_tangent
from ..tangents.declared import canonical_of
from ..tangents.naturals import SAME, WITHOUT_TANGENT
from ..tangents.registered import ByType, naturals
from .marks import bare
from .roles import DifferentiablePtr, SelfTangent

_cotangents: ByType[type] = ByType()
_CONTAINERS = (tuple, list, dict)


def tangent_type(P: Any) -> Any:
    """The type of the tangents of primals of type P.

    Raises:  NotDifferentiableError for a type that has none, or whose author declared none.
    Example: >>> tangent_type(float), tangent_type(np.ndarray), tangent_type(int)
             (<class 'float'>, <class 'numpy.ndarray'>, <class 'float'>)
    """
    found = _known(P)
    if found is None:
        raise NotDifferentiableError(
            f"{_name(P)} has no declared tangent type",
            closest="its tangents, where it has any, are Composite of it, without a registration",
            next="put @differentiable_type above its class",
        )
    return found


def _known(P: Any) -> Any:
    P = bare(P)
    origin = get_origin(P)
    if origin in (Union, types.UnionType):
        cases = [_known(case) for case in get_args(P)]
        return None if None in cases else reduce(or_, cases)
    P = origin if origin is not None else P
    if not isinstance(P, type) or issubclass(P, WITHOUT_TANGENT):
        return None
    if issubclass(P, Composite):
        return P
    natural, declared = naturals.of(P), canonical_of(P)
    if natural is not None:
        return None if issubclass(P, DifferentiablePtr) else natural.T
    if declared is not None:
        return declared.T
    if issubclass(P, DifferentiablePtr):
        return getattr(P, "Differential", P)
    if issubclass(P, SelfTangent) or is_self_tangent(P):
        return P
    if issubclass(P, int | np.integer):
        return float
    return Composite[P] if P in _CONTAINERS else None


def is_self_tangent(P: Any) -> bool:
    """Whether tangents of P are of P itself.

    Example: >>> is_self_tangent(np.float32), is_self_tangent(int), is_self_tangent(tuple)
             (True, False, False)
    """
    P = get_origin(P) or P
    if not isinstance(P, type):
        return False
    if issubclass(P, (float, complex, np.inexact, np.ndarray, *SAME)):
        return True
    declared = canonical_of(P)
    return declared is not None and declared.T is P


def cotangent_type(P: Any) -> Any:
    """The type of the cotangents of primals of type P: that of the tangents, unless P has another.

    Raises:  as `tangent_type`.
    Example: >>> cotangent_type(complex)
             <class 'complex'>
    """
    found = _cotangents.of(P) if isinstance(P, type) else None
    return tangent_type(P) if found is None else found


def all_variables_type(P: Any) -> Any:
    """The type of all the variables of a P, which a `map_variables` of it and its gradient runs over.

    Raises:  as `tangent_type`.
    """
    tangent_type(P)
    return getattr(P, "AllDifferentiableVariables", P) if canonical_of(P) is not None else P


def is_differentiable_type(P: Any) -> bool:
    """Whether values of a type may be arguments and results of differentiated functions.

    Example: >>> is_differentiable_type(float), is_differentiable_type(str), is_differentiable_type(tuple)
             (True, False, True)
    """
    return _known(P) is not None


def _name(P: Any) -> str:
    return getattr(P, "__qualname__", None) or repr(P)


def manifold(
    P: type,
    *,
    tangent: type,
    cotangent: type | None = None,
    metric: Callable[[Any, Any], Any] | None = None,
    **natural: Any,
) -> None:
    """Declare the tangents of P to be of another type, and how P is moved along them.

    Shapes:  `zero(x)`, `move(x, t)`, `difference(a, b)`, `project(x, t)`, `scale`, `inner` and `numbers` as
             for `natural_tangent`. `metric(x, x_bar)` gives the tangent for a cotangent, by default the
             cotangent itself. With a `cotangent` type of its own, `project` takes tangents of both types.
    Raises:  ChainRulesError for a type of Python's or NumPy's.
    Example: >>> class Angle:
             ...     def __init__(self, turns): self.turns = turns % 1.0
             >>> manifold(Angle, tangent=float, zero=lambda x: 0.0, move=lambda x, t: Angle(x.turns + t))
             >>> cr.move(Angle(0.75), 0.5).turns
             0.25
    """
    if cotangent is not None and "project" not in natural:
        natural["project"] = lambda x, t: t
    natural_tangent(P, tangent, **natural)
    if cotangent is not None:
        _cotangents.set(P, cotangent)
    if metric is not None:
        to_tangent.register(P)(metric)
