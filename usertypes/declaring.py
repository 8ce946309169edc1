"""`differentiable_type`: a class decorator that declares the tangents of a dataclass, NamedTuple or attrs
class.

What it adds to the class: `TangentVector`, `AllDifferentiableVariables`, and the record by which operators
give a gradient in that form. It adds rules that end the derivative where a marked field is read. It changes
nothing of how the class is made, called or copied, and a program over its objects runs as before.

    every field is its own tangent, none is marked, and the class has a `+`    P.TangentVector is P
    every field is its own tangent                             P.TangentVector is P.AllDifferentiableVariables
    else                                                       two classes, of tangents and of variables
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from numbers import Number
from typing import Any, TypeVar, cast, overload

from ..core.callables import attribute
from ..core.errors import NotDifferentiableError, RegistrationError
from ..core.registry import register
from ..tangents import NO_TANGENT, construct, from_fields, inner, scale
from ..tangents.declared import Canonical, canonical_of, declared_types
from ..tangents.equality import all_zero
from ..tangents.registered import Vector, naturals, vectors
from .marks import ImplicitNoDerivativeWarning, StoredField, never_differentiable, stored_fields
from .roles import DifferentiablePtr
from .spaces import is_self_tangent
from .synthesis import tangent_vector, variables_class

_Class = TypeVar("_Class", bound=type)


@overload
def differentiable_type(P: _Class, /) -> _Class: ...
@overload
def differentiable_type(*, strict: bool = False) -> Callable[[_Class], _Class]: ...


def differentiable_type(P: Any = None, /, *, strict: bool = False) -> Any:
    """Declare that gradients of a dataclass, NamedTuple or attrs class come as its `TangentVector`.

    Shapes:  `P.TangentVector` has the fields of P that are not marked by `no_derivative`. With `strict`, a
             field that cannot have a derivative and is not marked is an error, and else a warning.
    Raises:  RegistrationError for a class whose fields are not known, or that has other tangents already;
             ImplicitNoDerivativeWarning.
    Example: >>> from dataclasses import dataclass
             >>> @differentiable_type
             ... @dataclass
             ... class Line:
             ...     slope: float
             ...     offset: float
             >>> cr.grad(lambda line: (line.slope * 3.0 + line.offset) ** 2)(Line(1.0, -1.0))
             Line.TangentVector(slope=12.0, offset=4.0)
    """
    if P is None:
        return lambda cls: differentiable_type(cls) if not strict else _declared(cls, strict=True)
    return _declared(P, strict=False)


def _declared(P: Any, *, strict: bool) -> Any:
    if not isinstance(P, type):
        raise RegistrationError(f"{P!r} is no class", next="put @differentiable_type above a class")
    if naturals.of(P) is not None or issubclass(P, DifferentiablePtr):
        kind = (
            "a pointer" if issubclass(P, DifferentiablePtr) else "registered with a tangent type of its own"
        )
        raise RegistrationError(
            f"{P.__qualname__} is {kind}", next="declare a type once: remove one of the two declarations"
        )
    every, declared = stored_fields(P), cast(Any, P)
    implicit = [f for f in every if not f.marked and never_differentiable(f.hint)]
    fields = [f for f in every if not f.marked and f not in implicit]
    if not fields:
        raise RegistrationError(
            f"{P.__qualname__} has no field that could be differentiated",
            next="leave out @differentiable_type: its values are constants",
        )
    for field in implicit:
        _tell(P, field, strict)
    names = tuple(f.name for f in fields)
    alike = all(is_self_tangent(f.hint) or _is_alike(f.hint) for f in fields)
    if all(is_self_tangent(f.hint) for f in fields) and len(names) == len(every) and _adds(P):
        T = variables = P
        _as_vectors(P, names)
        canonical = Canonical(P, P, names, lambda shown: construct(P, shown), _fields_as_composite(P, names))
    else:
        T = tangent_vector(P, fields)
        variables = T if alike else variables_class(P, T, fields)
        canonical = Canonical(P, T, names, _presented(P, T), lambda t: t)
    declared.TangentVector, declared.AllDifferentiableVariables = T, variables
    declared.__canonical__ = canonical
    declared_types.add(P)
    if not hasattr(P, "Differential"):
        declared.Differential = staticmethod(lambda: _default(P, fields)) if T is P else T
    for field in every:
        if field not in fields:
            _end_derivative(P, field.name)
    return P


def _tell(P: type, field: StoredField, strict: bool) -> None:
    hint = getattr(field.hint, "__name__", field.hint)
    what = f"{P.__qualname__}.{field.name} is a {hint}, which has no derivative, and is not marked"
    if strict:
        raise RegistrationError(what, next=f"write {field.name}: {hint} = no_derivative()")
    text = f"{what}; it is taken for marked. Write {field.name}: {hint} = no_derivative()"
    warnings.warn(text, ImplicitNoDerivativeWarning, stacklevel=4)


def _default(P: type, fields: list[StoredField]) -> Any:
    """The zero of a type that is its own tangent, without an example of it."""
    numbers = {f.name: f.hint(0) if issubclass(f.hint, Number) else f.hint.Differential() for f in fields}
    return construct(P, numbers)


def _is_alike(P: Any) -> bool:
    """Whether the variables of a declared type are of the class of its tangents."""
    declared = canonical_of(P) if isinstance(P, type) else None
    return declared is not None and declared.T is getattr(P, "AllDifferentiableVariables", None)


def _adds(P: type) -> bool:
    """Whether a class adds its objects as vectors; a tuple's `+` joins."""
    return getattr(P, "__add__", None) not in (None, getattr(tuple, "__add__"))  # noqa: B009  mypy compares them


def _presented(P: type, T: Any) -> Callable[[dict[str, Any]], Any]:
    """The maker of a `TangentVector`; a tangent of a field that is not differentiated must be none."""
    names = frozenset(T.__names__)

    def present(shown: dict[str, Any]) -> Any:
        if shown.keys() == names:
            return T(**shown)
        for name in shown.keys() - names:
            if not issubclass(P, tuple) and not all_zero(shown[name]):  # a tuple is read by position too
                raise NotDifferentiableError(
                    f"{P.__qualname__}.{name} is marked to have no derivative, and a rule gave it one",
                    next=f"return NoTangent() for {name}, or remove the mark",
                )
        return T(**{name: t for name, t in shown.items() if name in names})

    return present


def _fields_as_composite(P: type, names: tuple[str, ...]) -> Callable[[Any], Any]:
    return lambda t: from_fields(P, {name: getattr(t, name) for name in names})


def _as_vectors(P: type, names: tuple[str, ...]) -> None:
    """Multiples, inner products and numbers of objects that are their own tangents, field by field."""

    def scaled(s: Any, t: Any) -> Any:
        return construct(P, {name: scale(s, getattr(t, name)) for name in names}, like=t)

    def product(a: Any, b: Any) -> float:
        return sum(inner(getattr(a, name), getattr(b, name)) for name in names)

    def numbers(t: Any) -> Any:
        parts = tuple(getattr(t, name) for name in names)
        return parts, lambda given: construct(P, dict(zip(names, given, strict=True)), like=t)

    vectors.set(P, Vector(scaled, product, numbers))


def _end_derivative(P: type, name: str) -> None:
    """Rules for reading a marked field: what is read is a constant."""

    def field_frule(tangents: Any, x: object) -> Any:
        """ẏ = 0: the field is marked"""
        return getattr(x, name), NO_TANGENT

    def field_rrule(x: object) -> Any:
        """x̄ = 0: the field is marked"""

        def field_pullback(y_bar: Any) -> Any:
            return NO_TANGENT

        return getattr(x, name), field_pullback

    field_frule.__module__ = field_rrule.__module__ = P.__module__  # rules of the type's own package
    field_frule.keeps_nothing = field_rrule.keeps_nothing = True  # type: ignore[attr-defined]  # read by engines
    register(attribute(name), field_frule, "forward", types=(P,))
    register(attribute(name), field_rrule, "reverse", types=(P,))


def names_of(P: type) -> tuple[str, ...] | None:
    """The differentiable fields of a declared type."""
    declared = canonical_of(P)
    return None if declared is None else declared.names
