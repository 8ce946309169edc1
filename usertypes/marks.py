"""The fields that a class stores, and which of them the author marked as having no derivative.

A field is marked by `no_derivative(...)` in a dataclass, and by `Annotated[T, nondiff]` anywhere. One whose
type can never be perturbed (a flag, a name, a class) is taken for marked, with a warning that shows the line
to write. Hints that cannot be read, as type variables, count as differentiable: each instance decides.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from ..core.errors import RegistrationError
from ..tangents.naturals import WITHOUT_TANGENT


class ImplicitNoDerivativeWarning(UserWarning):
    """A field that cannot have a derivative is not marked as one."""


class _Nondiff:
    """The mark of a parameter or field that is not differentiated."""

    def __repr__(self) -> str:
        return "nondiff"

    def __reduce__(self) -> str:
        return "nondiff"


nondiff = _Nondiff()
"""In a hint, `Annotated[int, nondiff]`, the mark of what is not differentiated."""

_MARK = "no_derivative"


def no_derivative(
    default: Any = dataclasses.MISSING,
    *,
    default_factory: Callable[[], Any] | Any = dataclasses.MISSING,
    **field: Any,
) -> Any:
    """A field of a dataclass that has no derivative with respect to its object.

    Shapes:  takes what `dataclasses.field` takes; a plain default may be given first.
    Example: >>> from dataclasses import dataclass
             >>> @differentiable_type
             ... @dataclass
             ... class Layer:
             ...     weight: float
             ...     name: str = no_derivative("first")
             >>> cr.grad(lambda layer: layer.weight**2)(Layer(3.0))
             Layer.TangentVector(weight=6.0)
    """
    metadata = {**(field.pop("metadata", None) or {}), _MARK: True}
    if default is not dataclasses.MISSING:
        field["default"] = default
    if default_factory is not dataclasses.MISSING:
        field["default_factory"] = default_factory
    return dataclasses.field(metadata=metadata, **field)


class StoredField(NamedTuple):
    """One field of a class: its name, its hint without marks, and whether it is marked."""

    name: str
    hint: Any
    marked: bool


def stored_fields(P: type) -> list[StoredField]:
    """The fields of a dataclass, NamedTuple or attrs class.

    Raises:  RegistrationError for a class of another kind.
    """
    if dataclasses.is_dataclass(P):
        given = [(f.name, bool(f.metadata.get(_MARK))) for f in dataclasses.fields(P)]
    elif hasattr(P, "__attrs_attrs__"):
        given = [(f.name, bool(f.metadata.get(_MARK))) for f in P.__attrs_attrs__]
    elif issubclass(P, tuple) and hasattr(P, "_fields"):
        given = [(name, False) for name in P._fields]
    else:
        raise RegistrationError(
            f"{P.__qualname__} is no dataclass, NamedTuple or attrs class, so its fields are not known",
            closest="@differentiable_type stands above @dataclass",
            next="make it a dataclass, or declare its tangents with chainrules.types.manifold",
        )
    hints = _hints(P)
    return [
        StoredField(name, bare(hints.get(name, Any)), marked or is_marked(hints.get(name, Any)))
        for name, marked in given
    ]


def _hints(P: type) -> dict[str, Any]:
    """The hints of a class and its bases, each read by itself: one that cannot be read is any type."""
    hints: dict[str, Any] = {}
    for cls in reversed(P.__mro__):
        names = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
        for name, hint in inspect.get_annotations(cls).items():
            hints[name] = read_hint(hint, names)
    return hints


def read_hint(hint: Any, names: dict[str, Any]) -> Any:
    """A hint that is written as text, read in these names; any type where it cannot be."""
    if not isinstance(hint, str):
        return hint
    try:
        return eval(hint, names)
    except Exception:
        return Any


def is_marked(hint: Any) -> bool:
    """Whether a hint carries `nondiff`.

    Example: >>> is_marked(Annotated[int, nondiff]), is_marked(float)
             (True, False)
    """
    return get_origin(hint) is Annotated and any(isinstance(m, _Nondiff) for m in get_args(hint)[1:])


def bare(hint: Any) -> Any:
    """A hint without what `Annotated` adds."""
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def never_differentiable(hint: Any) -> bool:
    """Whether no value of a type can be perturbed.

    Example: >>> never_differentiable(bool), never_differentiable(float), never_differentiable(Any)
             (True, False, False)
    """
    return isinstance(hint, type) and issubclass(hint, WITHOUT_TANGENT)
