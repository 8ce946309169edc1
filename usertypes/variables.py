"""The variables of a value, and what an optimiser does with all of them: key paths, maps, getting and
setting.

A variable is a number, an array, or an object with a tangent type of its own, however deep in containers and
objects it lies. Marked fields, flags and names are no variables. Maps and paths see any value, declared or
not; `all_variables` and `set_all_variables` are of declared types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from typing import Any

import numpy as np

from ..core.errors import MismatchedPrimalError, NotDifferentiableError, ShapeMismatch
from ..tangents import NO_TANGENT, Composite, construct, fields_of, is_zero, primal_type, zero_tangent
from ..tangents.containers import mismatched
from ..tangents.declared import canonical_of
from ..tangents.naturals import WITHOUT_TANGENT, is_natural
from ..tangents.structure import named_parts
from .spaces import tangent_type

_ARRAYS = frozenset({np.ndarray, float})


def inside_of(x: Any) -> Any:
    """The parts of x that may hold variables: a dict by name or key, a tuple by position, or None for a
    variable.

    What holds none has an empty dict.
    """
    if type(x) in _ARRAYS:
        return None
    if isinstance(x, Composite):
        return fields_of(x)
    declared = canonical_of(type(x))
    if declared is not None:
        return {name: getattr(x, name) for name in declared.names}
    if isinstance(x, WITHOUT_TANGENT):
        return {}
    if is_natural(x):
        return None if zero_tangent(x) is not NO_TANGENT else {}
    return named_parts(x)


def map_variables(fn: Callable[..., Any], x: Any, *others: Any) -> Any:
    """The value x with fn applied to each of its variables, beside those of others that are like it.

    Shapes:  the others are values or tangents of x; where a tangent is zero, fn sees zeros. What is no
             variable is as in x.
    Raises:  MismatchedPrimalError, ShapeMismatch where another is not like x.
    Example: >>> map_variables(lambda p, g: p - 0.1 * g, {"w": 2.0, "on": True}, {"w": 5.0})
             {'w': 1.5, 'on': True}
    """
    inside = inside_of(x)
    if inside is None:
        if others:
            return fn(x, *[zero_tangent(x) if is_zero(o) else o for o in others])
        return fn(x)
    if not inside:
        return x
    if isinstance(inside, dict):
        columns = [_named(x, inside, o) for o in others]
        made: Any = {k: map_variables(fn, v, *[c.get(k, _ZERO) for c in columns]) for k, v in inside.items()}
    else:
        rows = [_ordered(x, inside, o) for o in others]
        made = [map_variables(fn, v, *[r[i] for r in rows]) for i, v in enumerate(inside)]
    if isinstance(x, Composite):
        return type(x)(**made) if isinstance(made, dict) else type(x)(*made)
    return construct(type(x), made, like=x)


_ZERO = zero_tangent(None)  # NoTangent(), which every variable takes for zeros


def _named(x: Any, inside: dict[Any, Any], other: Any) -> dict[Any, Any]:
    """The parts of another value by the names of those of x."""
    if is_zero(other):
        return {}
    if isinstance(other, Composite):
        if primal_type(other) not in (type(x), getattr(type(x), "__primal__", None)):
            raise mismatched(x, other, "mapped together")
        return dict(fields_of(other))
    if isinstance(other, dict) and isinstance(x, dict):
        return other
    if type(other) is not type(x):
        raise mismatched(x, other, "mapped together")
    return {name: getattr(other, name) for name in inside}


def _ordered(x: Any, inside: Any, other: Any) -> Any:
    if is_zero(other):
        return [other] * len(inside)
    if not hasattr(other, "__len__") or not hasattr(other, "__getitem__"):
        raise mismatched(x, other, "mapped together")
    if len(other) != len(inside):
        raise ShapeMismatch(f"{len(inside)} variables cannot be mapped together with {len(other)}")
    return other


@dataclass(frozen=True)
class KeyPath:
    """Where a variable stands: `path(x)` reads it, `path.replaced(x, v)` is x with another value there.

    Example: >>> (path,) = key_paths({"w": [2.0, "name"]})
             >>> str(path), path({"w": [7.0]}), path.replaced({"w": [7.0]}, 1.0)
             ("['w'][0]", 7.0, {'w': [1.0]})
    """

    steps: tuple[Any, ...]
    names: tuple[bool, ...]  # which of the steps are names of fields

    def __call__(self, x: Any) -> Any:
        for step, named in zip(self.steps, self.names, strict=True):
            x = getattr(x, step) if named else x[step]
        return x

    def replaced(self, x: Any, value: Any) -> Any:
        """The value x with another value at this place; x itself is not changed."""
        if not self.steps:
            return value
        step, named = self.steps[0], self.names[0]
        part = getattr(x, step) if named else x[step]
        made = KeyPath(self.steps[1:], self.names[1:]).replaced(part, value)
        if named or isinstance(x, dict):
            return construct(type(x), {step: made}, like=x)
        return construct(type(x), [made if i == step else v for i, v in enumerate(x)], like=x)

    def __str__(self) -> str:
        steps = zip(self.steps, self.names, strict=True)
        return "".join(f".{step}" if named else f"[{step!r}]" for step, named in steps)


def key_paths(x: Any) -> list[KeyPath]:
    """The places of all variables of a value, in order.

    Example: >>> [str(path) for path in key_paths({"w": np.ones(2), "b": (1.0, "name")})]
             ["['w']", "['b'][0]"]
    """
    inside = inside_of(x)
    if inside is None:
        return [KeyPath((), ())]
    named = isinstance(inside, dict) and not isinstance(x, dict)
    items = inside.items() if isinstance(inside, dict) else enumerate(inside)
    return [
        KeyPath((step, *path.steps), (named, *path.names)) for step, part in items for path in key_paths(part)
    ]


def all_variables(x: Any) -> Any:
    """All variables of an object of a declared type, as its `AllDifferentiableVariables`; of another, x
    itself.

    Raises:  NotDifferentiableError for a type that was not declared.
    Example: >>> all_variables(2.0)
             2.0
    """
    declared = canonical_of(type(x))
    if declared is None:
        tangent_type(type(x))
        return x
    V: Any = type(x).AllDifferentiableVariables
    return x if V is type(x) else V(**{name: _variables(getattr(x, name)) for name in declared.names})


def _variables(value: Any) -> Any:
    return all_variables(value) if canonical_of(type(value)) is not None else value


def set_all_variables(x: Any, variables: Any) -> None:
    """Set all variables of an object to those given, in place; what is no variable is left as it is.

    Raises:  FrozenInstanceError where one of the objects to change is frozen, before any is changed;
             MismatchedPrimalError for variables of another type.
    """
    declared = canonical_of(type(x))
    if declared is None:
        tangent_type(type(x))
        raise NotDifferentiableError(
            f"a {type(x).__qualname__} has no variables that can be set in place",
            next="bind the new value to the name: x = variables",
        )
    changes: list[tuple[Any, str, Any]] = []
    _collect(x, variables, changes)
    for owner, name, value in changes:
        setattr(owner, name, value)


def _collect(x: Any, variables: Any, changes: list[tuple[Any, str, Any]]) -> None:
    declared = canonical_of(type(x))
    V = getattr(type(x), "AllDifferentiableVariables", None)
    if declared is None or V is None:
        raise mismatched(x, variables, "set from one another")
    if type(variables) is not V:
        raise MismatchedPrimalError(
            f"the variables of a {type(x).__qualname__} are a {V.__qualname__}, "
            f"not a {type(variables).__qualname__}",
            next=f"give {V.__qualname__}({', '.join(f'{name}=…' for name in declared.names)})",
        )
    given = getattr(type(x), "__dataclass_params__", None)
    frozen = (given is not None and given.frozen) or isinstance(x, tuple)
    frozen |= "_frozen_setattrs" in getattr(type(x).__setattr__, "__qualname__", "")
    for name in declared.names:
        value, own = getattr(variables, name), getattr(x, name)
        if canonical_of(type(own)) is not None and type(value) is not type(own):
            _collect(own, value, changes)
            continue
        if frozen:
            raise FrozenInstanceError(
                f"{type(x).__qualname__}.{name} cannot be set: {type(x).__qualname__} is frozen; "
                "make a new object instead, with move or map_variables"
            )
        changes.append((x, name, value))
