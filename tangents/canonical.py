"""One form for each tangent: `canonicalize(t, like=x)`, and `to_tangent(x, x_bar)`.

Tangents are added in the form they come in. A composite that names both properties and stored fields
of its primal is a formal sum: only the primal tells what a change of the property means for the
fields. `canonicalize` resolves it, with the converters that `convert_fields` registers, fills in
zeros, makes indexed and sparse tangents dense (a sparse primal keeps its sparse ones), and turns
a structural tangent into the natural one where a primal type has both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from .addition import add
from .composite import Composite, fields_of, from_fields, is_tangent_of, with_fields
from .containers import mismatched
from .errors import ChainRulesError
from .functions import FUNCTIONS
from .naturals import is_natural
from .registered import converters_of, metrics, naturals
from .spaces import materialize
from .structure import named_parts
from .thunks import unthunk
from .zeros import ZERO, is_zero

_Function = TypeVar("_Function", bound=Callable[..., Any])


def canonicalize(t: Any, like: Any) -> Any:
    """The tangent t of the primal `like` in its one form: natural where there is one, of stored fields else.

    Shapes:  like `like`; a composite has every stored field, and no property.
    Raises:  ChainRulesError for a property that nobody registered a converter for; MismatchedPrimalError.
    Example: >>> canonicalize(Composite[tuple](Zero(), 1.0), like=(np.ones(2), 0.5))
             Composite[tuple](array([0., 0.]), 1.0)
    """
    return materialize(in_fields(t, like), like)


def in_fields(t: Any, x: Any) -> Any:
    """The tangent of x without properties, in every part of it, and otherwise as it is.

    Raises:  as `canonicalize`.
    """
    t = unthunk(t)
    if not isinstance(t, Composite) or isinstance(x, Composite):
        return t
    if not is_tangent_of(type(x), t):
        raise mismatched(t, x, "given the form of one another")
    natural = naturals.of(type(x))
    if natural is not None and natural.from_structural is not None:
        return natural.from_structural(t)
    inside, given = named_parts(x), fields_of(t)
    if not isinstance(given, dict):
        return from_fields(type(x), [in_fields(v, item) for v, item in zip(t, inside, strict=True)])
    if isinstance(x, (dict, *FUNCTIONS)):  # a function's may name variables that it did not capture
        return from_fields(
            type(x), {k: in_fields(v, inside[k]) if k in inside else v for k, v in given.items()}
        )
    stored = {name: v for name, v in given.items() if name in inside}
    for converted in _converted({name: v for name, v in given.items() if name not in inside}, x):
        for name, v in converted.items():
            stored[name] = add(stored.get(name, ZERO), v)
    return from_fields(type(x), {name: in_fields(v, inside[name]) for name, v in stored.items()})


def _converted(properties: dict[str, Any], x: Any) -> Any:
    """The cotangents of stored fields that these of properties amount to, one dict for each converter."""
    known = converters_of(type(x))
    unknown = [name for name, v in properties.items() if name not in known and not is_zero(unthunk(v))]
    if unknown:
        raise _no_converter(x, unknown[0], known)
    for converter in dict.fromkeys(known[name] for name in properties if name in known):
        given = [properties.get(name, ZERO) for name in converter.properties]
        if not all(is_zero(unthunk(v)) for v in given):
            values = [_for_property(x, n, v) for v, n in zip(given, converter.properties, strict=True)]
            converted = converter(x, values)
            strange = [name for name in converted if name not in named_parts(x)]
            if strange:
                raise _no_field(x, converter, strange[0])
            yield converted


def _for_property(x: Any, name: str, t: Any) -> Any:
    """The cotangent of a property in its value's form; as it is where x has no attribute of the name."""
    return canonicalize(t, getattr(x, name)) if hasattr(x, name) else unthunk(t)


def _no_converter(x: Any, name: str, known: dict[str, Any]) -> ChainRulesError:
    P = type(x).__qualname__
    return ChainRulesError(
        f"{name!r} is no field that {P} stores, and how its tangent changes those is not known",
        closest="converters are known for " + (", ".join(map(repr, known)) or "no property of it"),
        next=f'register one: @convert_fields({P}, "{name}") above a function of (x, {name}_bar)',
    )


def _no_field(x: Any, converter: Any, name: str) -> ChainRulesError:
    return ChainRulesError(
        f"the converter {converter.convert.__qualname__} of {type(x).__qualname__} gave one for {name!r}",
        closest="it stores " + ", ".join(map(repr, named_parts(x))),
        next="return a dict of tangents of stored fields",
    )


class ToTangent(Protocol):
    """The type of `to_tangent`: a function that carries the decorator for a type's own metric."""

    register: Callable[[type], Callable[[_Function], _Function]]

    def __call__(self, x: Any, x_bar: Any, /) -> Any:
        """The tangent for a cotangent."""


def _to_tangent(x: Any, x_bar: Any, /) -> Any:
    """The tangent that an optimiser moves x along, for the cotangent x_bar: the same, unless P has a metric.

    `@to_tangent.register(P)` gives a type its own: a function of the primal and its cotangent.

    Shapes:  x_bar and the result are tangents of x; a zero stays as it is.
    Example: >>> to_tangent(2.0, 3.0)
             3.0
    """
    if is_zero(x_bar):
        return x_bar
    metric = metrics.of(type(x))
    if metric is not None:
        return metric(x, x_bar)
    return _each_to_tangent(x, x_bar) if isinstance(x_bar, Composite) and not is_natural(x) else x_bar


def _each_to_tangent(x: Any, x_bar: Any) -> Any:
    """Part by part, each with the metric of its own type; x̄ itself where none has one."""
    if isinstance(x, Composite):
        return x_bar
    inside, given = named_parts(x), fields_of(x_bar)
    if not isinstance(given, dict):
        made: Any = [_to_tangent(part, v) for part, v in zip(inside, given, strict=True)]
        same = all(v is w for v, w in zip(made, given, strict=True))
    else:
        made = {name: _to_tangent(inside[name], v) if name in inside else v for name, v in given.items()}
        same = all(made[name] is v for name, v in given.items())
    return x_bar if same else with_fields(type(x_bar), made)


_to_tangent.__dict__["register"] = metrics.register
_to_tangent.__name__ = _to_tangent.__qualname__ = "to_tangent"
to_tangent = cast(ToTangent, _to_tangent)
