"""The classes that belong to a declared type: `P.TangentVector` and `P.AllDifferentiableVariables`.

A `TangentVector` is the composite of P with a name of its own and exactly the differentiable fields of P. So
it is a tangent like every other: it adds to other composites of P, is scaled, raveled and moved along as
those are. A field that is left out is zero; a field that P does not differentiate does not exist. Where every
field is its own tangent, the variables of P have the same class; else `AllDifferentiableVariables` is a
dataclass of them.
"""

from __future__ import annotations

from dataclasses import make_dataclass
from typing import Any, ClassVar, Self

from ..tangents import Composite, fields_of, from_fields
from ..tangents.composite import CompositeType
from ..tangents.declared import Canonical
from ..tangents.printing import on_lines
from ..tangents.zeros import ZERO
from .marks import StoredField
from .spaces import _known


class _TangentVector(Composite):
    """What every `TangentVector` has beside what its composite has."""

    __names__: ClassVar[tuple[str, ...]] = ()

    def __init__(self, /, *values: Any, **fields: Any) -> None:
        names = type(self).__names__
        if not values and tuple(fields) == names:
            self.__dict__.update(fields)
            return
        if len(values) > len(names):
            raise TypeError(f"{type(self).__qualname__} takes {len(names)} fields, not {len(values)}")
        for name, value in zip(names, values, strict=False):
            if name in fields:
                raise TypeError(f"{type(self).__qualname__} got {name!r} twice")
            fields[name] = value
        for name in fields:
            if name not in names:
                raise self._no_field(name, TypeError)
        self.__dict__.update((name, fields[name]) for name in names if name in fields)

    def __getattr__(self, name: str) -> Any:
        if name in type(self).__names__:
            return ZERO
        raise self._no_field(name, AttributeError)

    @classmethod
    def _no_field(cls, name: str, kind: type[Exception]) -> Exception:
        P: Any = cls.__primal__
        why = f"{P.__qualname__} does not differentiate it" if hasattr(P, name) else "no field of that name"
        if name in getattr(P, "__annotations__", {}):
            why = f"{P.__qualname__} does not differentiate it"
        return kind(f"{cls.__qualname__} has no {name!r} ({why}); its fields are {', '.join(cls.__names__)}")

    @classmethod
    def zero(cls) -> Self:
        """The zero, without numbers: each field is `Zero()`."""
        return cls()

    def __replace__(self, /, **changes: Any) -> Self:
        return type(self)(**{**self.__dict__, **changes})

    def __repr__(self) -> str:
        return on_lines(type(self).__qualname__, ((f"{k}=", v) for k, v in self.__dict__.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), dict(self.__dict__))


def _rebuilt(cls: Any, fields: dict[str, Any]) -> Any:
    return cls(**fields)


def tangent_vector(P: type, fields: list[StoredField]) -> Any:
    """The class `P.TangentVector`, with these fields."""
    names = tuple(f.name for f in fields)
    hints = {f.name: _known(f.hint) or Any for f in fields}
    body = {
        "__module__": P.__module__,
        "__qualname__": f"{P.__qualname__}.TangentVector",
        "__doc__": f"The tangents of {P.__qualname__}: {', '.join(names)}.",
        "__names__": names,
        "__match_args__": names,
        "__annotations__": hints,
    }
    return CompositeType("TangentVector", (_TangentVector, Composite[P]), body)


def variables_class(P: type, T: Any, fields: list[StoredField]) -> Any:
    """The class `P.AllDifferentiableVariables`, whose tangents are those of P."""
    names = tuple(f.name for f in fields)
    made: Any = make_dataclass(
        "AllDifferentiableVariables",
        [(f.name, f.hint) for f in fields],
        namespace={"__doc__": f"The variables of {P.__qualname__}: {', '.join(names)}."},
    )
    made.__module__ = P.__module__
    made.__qualname__ = f"{P.__qualname__}.AllDifferentiableVariables"
    made.TangentVector = T
    made.AllDifferentiableVariables = made
    made.__canonical__ = Canonical(
        made, T, names, lambda shown: T(**shown), lambda t: from_fields(made, fields_of(t))
    )
    return made
