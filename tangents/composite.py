"""`Composite[P]`: the structural tangent of a primal type P, one tangent per field.

A field may be natural (`Composite[Event](time=timedelta(days=1))`), structural, or a property of P;
a field that is not given is `Zero()`. Each P has a class of its own, `Composite[P]`: it can be
dispatched on, it is invariant (`Composite[Sub]` is no subclass of `Composite[Base]`), it pickles,
and it dies with P. Three layouts follow the primal:

    objects       Composite[Point](x=2.0)          iterates field names; a NamedTuple iterates values
    tuples, lists Composite[tuple](1.0, Zero())    a Sequence that equals the plain tuple; a deque's too
    dicts         Composite[dict]({"w": 1.0})      a Mapping

The fields of an object are plain attributes of its composite, and a field wins over any name of
ours: hence no public method here, and the helpers `fields_of`, `primal_type` and `map_fields`.
Composites are never written to, and do not hash. Addition and scaling are in `addition.py` and
`spaces.py`; taking primals apart is in `structure.py`.
"""

from __future__ import annotations

import builtins
import copyreg
import threading
import types
import weakref
from collections import deque
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, cast

import numpy as np

from . import algebra
from .errors import ChainRulesError
from .operators import Operators
from .printing import as_table, on_lines
from .thunks import unthunk
from .zeros import ZERO, is_zero

SEQUENCES = tuple | list | deque  # type: ignore[type-arg]  # asked of instances and classes
"""What has its tangents by position."""

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: set for every class that a program can make and drop


class CompositeType(type):
    """The metaclass: `Composite[P]` finds or makes the class of P, and the class knows P."""

    # a dunder, because a class attribute of any other name could stand in for a missing field
    __primal__: type | None = None

    def __getitem__(cls, P: type) -> Any:
        reference = _CLASSES.get(id(P))
        made = reference() if reference is not None else None
        return made if made is not None and cls is Composite else _make(cls, P)


# A class refers to its primal, so this table must not own the classes of types that can be dropped.
# The key cannot be reused while its class lives, since the class keeps the primal alive.
_CLASSES: dict[int, weakref.ref[Any]] = {}
_OF_BUILTINS: list[type] = []
_LOCK = threading.RLock()


def _make(cls: CompositeType, P: type) -> Any:
    if cls is not Composite or not isinstance(P, type):
        raise TypeError(f"Composite[...] takes the class of a primal, not {P!r}")
    with _LOCK:
        reference = _CLASSES.get(id(P))
        made = reference() if reference is not None else None
        if made is None:
            made = CompositeType(f"Composite[{P.__name__}]", (_layout(P),), {"__module__": __name__})
            made.__primal__ = P
            _CLASSES[id(P)] = weakref.ref(made, _forget(id(P)))
            if not P.__flags__ & _HEAP_TYPE:
                _OF_BUILTINS.append(made)
    return made


def _forget(key: int) -> Callable[[weakref.ref[Any]], None]:
    def forget(reference: weakref.ref[Any]) -> None:
        if _CLASSES.get(key) is reference:
            del _CLASSES[key]

    return forget


def _layout(P: type) -> type:
    if issubclass(P, dict):
        return _MappingComposite
    if issubclass(P, SEQUENCES):
        return _NamedTupleComposite if hasattr(P, "_fields") else _SequenceComposite
    return _ObjectComposite


class Composite(Operators, metaclass=CompositeType):
    """The structural tangent of a primal type: `Composite[P](field=tangent, ...)`.

    Shapes:  each field's tangent is like the primal's field; fields that are left out are `Zero()`.
    Raises:  TypeError for `Composite(...)` without a primal type, and on writing a field.
    Example: >>> t = Composite[tuple](1.0, Zero()) + Composite[tuple](2.0, 5.0)
             >>> t, t == (3.0, 5.0)
             (Composite[tuple](3.0, 5.0), True)
    """

    # plum may cache by class, since isinstance(t, Composite[P]) is decided by type(t) alone
    __faithful__ = True
    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # fields may be arrays
    _values: Any

    if TYPE_CHECKING:  # what the layouts below have; a checker cannot know which one it has before it

        def __getattr__(self, name: str) -> Any: ...
        def __fields__(self) -> Any: ...
        def __getitem__(self, key: Any) -> Any: ...
        def __iter__(self) -> Iterator[Any]: ...
        def __len__(self) -> int: ...

    def __init__(self, /, *args: Any, **fields: Any) -> None:
        raise TypeError("a Composite needs the type of its primal: Composite[P](...)")

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise TypeError("a Composite is not written to, it may be shared; build a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise TypeError("a Composite is not written to, it may be shared; build a new one")

    def __eq__(self, other: object) -> bool:
        return NotImplemented if is_zero(other) else algebra.same_values(self, other)

    def _repr_html_(self) -> str:
        fields = fields_of(self)
        named = fields.items() if isinstance(fields, dict) else enumerate(fields)
        return as_table(type(self).__name__, ((str(name), value) for name, value in named))


class _ObjectComposite(Composite):
    """Of an object: the fields are attributes."""

    def __init__(self, /, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __fields__(self) -> dict[str, Any]:
        return self.__dict__

    @classmethod
    def __with_fields__(cls, fields: Any) -> Any:
        return cls(**fields)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("__", "_repr_", "_ipython_")) and name.endswith("_"):  # what others probe for
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return ZERO

    def __iter__(self) -> Iterator[Any]:
        return iter(self.__dict__)

    def __repr__(self) -> str:
        return on_lines(type(self).__name__, ((f"{k}=", v) for k, v in self.__dict__.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (_by_name(primal_type(self)), self.__dict__)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise ChainRulesError(
            f"a {type(self).__name__} is no array", next="ravel(t) gives a vector of all its numbers"
        )


class _NamedTupleComposite(_ObjectComposite):
    """Of a NamedTuple: the fields are attributes, and it indexes and iterates as a tuple."""

    @classmethod
    def __with_fields__(cls, fields: Any) -> Any:
        if not isinstance(fields, dict):
            names = cls.__primal__._fields  # type: ignore[union-attr]  # of a NamedTuple
            fields = {name: v for name, v in zip(names, fields, strict=True) if v is not ZERO}
        return cls(**fields)

    def __iter__(self) -> Iterator[Any]:
        return (self.__dict__.get(name, ZERO) for name in _names(self))

    def __len__(self) -> int:
        return len(_names(self))

    def __getitem__(self, index: Any) -> Any:
        names = _names(self)[index]
        given = self.__dict__
        return given.get(names, ZERO) if isinstance(names, str) else tuple(given.get(n, ZERO) for n in names)


class _SequenceComposite(Composite):
    """Of a tuple or list: the values, by position."""

    def __init__(self, /, *values: Any) -> None:
        self.__dict__["_values"] = values

    def __fields__(self) -> tuple[Any, ...]:
        return self._values  # type: ignore[no-any-return]  # a tuple

    @classmethod
    def __with_fields__(cls, fields: Any) -> Any:
        return cls(*fields)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        return self._values[index]

    def index(self, value: Any, *within: int) -> int:
        """The first position of a tangent, as `tuple.index`."""
        return self._values.index(value, *within)  # type: ignore[no-any-return]  # a tuple

    def count(self, value: Any) -> int:
        """How many entries equal a tangent, as `tuple.count`."""
        return self._values.count(value)  # type: ignore[no-any-return]  # a tuple

    def __repr__(self) -> str:
        return on_lines(type(self).__name__, (("", v) for v in self._values))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (_by_name(primal_type(self)), self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array([0.0 if v is ZERO else v for v in map(unthunk, self._values)], dtype)

    def __array_function__(self, f: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """`np.sum(t)` and its kin, of a list of the items."""
        return f(*map(_within, args), **{name: _within(v) for name, v in kwargs.items()})


class _MappingComposite(Composite):
    """Of a dict: the values, by key."""

    def __init__(self, entries: Any = (), /) -> None:
        self.__dict__["_values"] = dict(entries)

    def __fields__(self) -> dict[Any, Any]:
        return self._values  # type: ignore[no-any-return]  # a dict

    @classmethod
    def __with_fields__(cls, fields: Any) -> Any:
        return cls(fields)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __getitem__(self, key: Any) -> Any:
        return self._values.get(key, ZERO)

    def get(self, key: Any, default: Any = ZERO) -> Any:
        """The tangent of a key, and `default` where none was given."""
        return self._values.get(key, default)

    def keys(self) -> KeysView[Any]:
        """The keys that were given."""
        return self._values.keys()  # type: ignore[no-any-return]  # a dict

    def values(self) -> ValuesView[Any]:
        """The tangents that were given."""
        return self._values.values()  # type: ignore[no-any-return]  # a dict

    def items(self) -> ItemsView[Any, Any]:
        """Pairs of key and tangent."""
        return self._values.items()  # type: ignore[no-any-return]  # a dict

    def __repr__(self) -> str:
        return on_lines(type(self).__name__, ((f"{k!r}: ", v) for k, v in self._values.items()), "({})")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (_by_name(primal_type(self)), self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise ChainRulesError(
            f"a {type(self).__name__} is no array", next="ravel(t) gives a vector of all its numbers"
        )


Sequence.register(_SequenceComposite)
Mapping.register(_MappingComposite)


def primal_type(t: Any) -> type:
    """The type of the primals that a composite is a tangent of.

    Example: >>> primal_type(Composite[tuple](1.0))
             <class 'tuple'>
    """
    P = type(t).__primal__
    assert P is not None, "every instance is of a class made for a primal"
    return P  # type: ignore[no-any-return]  # read from a metaclass


def is_tangent_of(P: type, t: Any) -> bool:
    """Whether a composite is a tangent of primals of a class.

    Example: >>> is_tangent_of(tuple, Composite[tuple](1.0)), is_tangent_of(list, Composite[tuple](1.0))
             (True, False)
    """
    return primal_type(t) in (P, Composite[P].__primal__)


def fields_of(t: Any) -> Any:
    """The tangents of a composite: a tuple for a tuple or list, else a dict by name or key.

    Example: >>> fields_of(Composite[tuple](1.0, 2.0)), fields_of(Composite[complex](real=1.0))
             ((1.0, 2.0), {'real': 1.0})
    """
    return t.__fields__()


def listed(x: Any) -> Any:
    """The tangent of a list or tuple as a list of its items; anything else as it is.

    Example: >>> listed(Composite[tuple](1.0, Zero())), listed(2.0)
             ([1.0, 0.0], 2.0)
    """
    return [0.0 if v is ZERO else listed(v) for v in x] if is_of_sequence(x) else x


def _within(x: Any) -> Any:
    """The same of each item of a plain list or tuple."""
    return [_within(v) for v in x] if type(x) in (list, tuple) else listed(x)


def is_of_sequence(x: Any) -> bool:
    """Whether x is the tangent of a list or tuple."""
    return isinstance(x, _SequenceComposite) and not isinstance(x, _NamedTupleComposite)


def same_tangents(P: type, of: type) -> None:
    """Say that the tangents of P, which lives as long as the program, are those of another class."""
    made = CompositeType.__getitem__(Composite, of)
    with _LOCK:
        _CLASSES[id(P)] = weakref.ref(made)
        _OF_BUILTINS.append(made)


def from_fields(P: type, fields: Any) -> Any:
    """The composite of P with these fields: the inverse of `fields_of`.

    A NamedTuple takes a plain sequence of values too.
    """
    return with_fields(CompositeType.__getitem__(Composite, P), fields)


def with_fields(cls: Any, fields: Any) -> Any:
    """The composite of this class with these fields, for who has the class already."""
    return cls.__with_fields__(fields)


def map_fields(fn: Callable[[Any], Any], t: Any) -> Any:
    """The composite with fn applied to each given field; fn must take zero to zero.

    Example: >>> map_fields(lambda v: 2 * v, Composite[tuple](1.0, Zero()))
             Composite[tuple](2.0, Zero())
    """
    fields = fields_of(t)
    if isinstance(fields, dict):
        return with_fields(type(t), {name: fn(v) for name, v in fields.items()})
    return with_fields(type(t), [fn(v) for v in fields])


def _names(t: Any) -> tuple[str, ...]:
    return type(t).__primal__._fields  # type: ignore[no-any-return]  # of a NamedTuple


def _reduce_class(cls: CompositeType) -> Any:
    if "__primal__" not in vars(cls):  # a class below `Composite[P]` has a name of its own
        return "Composite" if cls.__primal__ is None else cls.__qualname__
    return _class_of, (_by_name(cast(type, cls.__primal__)),)


def _class_of(P: type | str) -> Any:
    return CompositeType.__getitem__(Composite, getattr(types, P) if isinstance(P, str) else P)


def _rebuild(P: type | str, fields: Any) -> Any:
    return with_fields(_class_of(P), fields)


def _by_name(P: type) -> type | str:
    """What pickle can take of a primal: it finds no type that has its name only in `types`, as functions."""
    hidden = P.__module__ == "builtins" and not hasattr(builtins, P.__name__)
    return next((name for name, T in vars(types).items() if hidden and T is P), P)


copyreg.pickle(CompositeType, _reduce_class)
