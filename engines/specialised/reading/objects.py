"""Objects: which classes a specialised text knows, and the functions behind their operators and attributes.

An object counts as a tuple of its fields with a name for each. That is so where the class is Python's own
way of making objects: fields in a dictionary, read and set without anyone in between, and no rule or type
of tangents that somebody declared for it.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
from types import FunctionType, MemberDescriptorType, SimpleNamespace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ....core.callables import attribute
from ....core.loading import load_for
from ....core.lookup import find
from ....core.registry import rules_of
from ....tangents.registered import constructors, converters_of, naturals, vectors
from ...source.syntax.codes import stores
from .declined import Declined
from .drawing import DRAWING
from .steps import OPERATORS
from .tables import TABLES

_HEAP = 1 << 9  # a class that Python made
POLYNOMIALS = "numpy.polynomial."
"""Where NumPy has classes and functions that are written in Python, and read as a user's are."""
_FOREIGN = ("numpy", "scipy", "chainrules")
_ARRAY_LIKE = (
    *("__len__", "__getitem__", "__iter__", "__array__", "__array_interface__", "__array_struct__"),
    *("__array_ufunc__", "__array_priority__", "__array_wrap__"),
)
BY_NAME = (object.__init__, SimpleNamespace.__init__)
"""Constructors of Python's own, which set fields by the names of the arguments, or none."""
_UNARY = {"-": "__neg__", "+": "__pos__"}


def is_plain_class(P: Any) -> bool:
    """Whether objects of this class are their fields."""
    if type(P) not in (type, abc.ABCMeta) or not (P.__flags__ & _HEAP or P is SimpleNamespace):
        return False
    return _known_of(P)[1]


def sets_fields(P: Any) -> bool:
    """Whether methods of a plain class set fields, not its constructor alone."""
    return is_plain_class(P) and _known_of(P)[2]


def _known_of(P: Any) -> tuple[int, bool, bool]:
    """Of a class: how many names it has, whether it is plain, and whether its methods set fields."""
    size = 0  # which another method of the class would change
    for Q in P.__mro__:
        size += len(Q.__dict__)
    known = _known.get(P)
    if known is None or known[0] != size:
        named = [(n, f) for Q in P.__mro__[:-1] for n, f in Q.__dict__.items()]
        methods = [f for n, f in named if type(f) is FunctionType and n not in ("__init__", "__post_init__")]
        known = _known[P] = size, _is_plain(P), any(stores(f.__code__) for f in methods)
    return known


_known: WeakKeyDictionary[Any, tuple[int, bool, bool]] = WeakKeyDictionary()


def _is_plain(P: Any) -> bool:
    if P is SimpleNamespace:
        return True
    if type(P) not in (type, abc.ABCMeta) or P is type or not P.__flags__ & _HEAP:
        return False
    if any(not Q.__flags__ & _HEAP for Q in P.__mro__[:-1]) or bool(P.__dictoffset__) is bool(slots_of(P)):
        return False
    own = P.__module__ in (TABLES, DRAWING) or P.__module__.startswith(POLYNOMIALS)
    foreign = P.__module__.partition(".")[0] in _FOREIGN and not own
    if foreign or hasattr(P, "__getattr__") or hasattr(P, "__del__"):
        return False
    usual = all(_made_by(P, name) is object for name in ("__getattribute__", "__new__"))
    return usual and (_made_by(P, "__setattr__") is object or is_frozen(P))


def _made_by(P: type, name: str) -> type:
    """The class that has a method."""
    return next(Q for Q in P.__mro__ if name in Q.__dict__)


def is_frozen(P: Any) -> bool:
    """Whether this is a dataclass whose fields nobody sets."""
    parameters = P.__dict__.get("__dataclass_params__")
    return parameters is not None and bool(parameters.frozen)


def is_named(P: Any) -> bool:
    """Whether this is a class of named tuples, made as Python makes them."""
    if not hasattr(P, "_fields") or not hasattr(P, "_field_defaults") or type(P) is not type:
        return False
    plain = all(_made_by(P, n) is tuple for n in ("__getitem__", "__iter__", "__len__"))
    return plain and _made_by(P, "__new__").__bases__ == (tuple,)


def hold_class(P: Any) -> None:
    """Declined for a class that has rules or tangents of its own."""
    load_for((P,))
    made = [Q for Q in P.__mro__ if Q.__flags__ & _HEAP]
    known = naturals.of(P), vectors.of(P), constructors.of(P), *map(rules_of, made)
    if hasattr(P, "__canonical__") or converters_of(P) or any(k is not None for k in known):
        raise Declined(f"the class {P.__name__}, which has tangents of its own")


def is_object(v: Any) -> bool:
    """Whether this is an object of a plain class."""
    return is_plain_class(type(v))


def are_objects(items: Any, start: Any = None) -> bool:
    """Whether there are objects among the items of a list or tuple, or what is added to them is one."""
    return is_object(start) or (type(items) in (list, tuple) and any(map(is_object, items)))


def is_result(v: Any) -> bool:
    """Whether this is the result of one of SciPy's solvers: a dictionary that is read by attribute."""
    return isinstance(v, dict) and type(v).__module__.startswith("scipy.")


def has_methods(v: Any) -> bool:
    """Whether this is an object of a plain class, or a named tuple."""
    return is_object(v) or is_named(type(v))


def slots_of(P: type) -> tuple[str, ...]:
    """The names of the fields that a class and those above it keep in slots."""
    own = [Q.__dict__.get("__slots__", ()) for Q in reversed(P.__mro__[:-1])]
    names = [n for slots in own for n in ((slots,) if isinstance(slots, str) else slots)]
    return tuple([n for n in names if isinstance(lookup(P, n), MemberDescriptorType)])


def stored(v: Any) -> dict[str, Any]:
    """The fields of an object of a plain class by name, which it keeps in its dictionary or in slots."""
    P = type(v)
    return v.__dict__ if P.__dictoffset__ else {n: getattr(v, n) for n in slots_of(P) if hasattr(v, n)}


def empty(P: Any) -> Any:
    """A new object of a plain class without fields; no code of the class runs."""
    return P() if P is SimpleNamespace else object.__new__(P)


def object_anew(P: Any, names: tuple[Any, ...], *values: Any) -> Any:
    """A new object of a plain class with these fields, or a list or dictionary of these entries."""
    if P is list or P is dict:
        return [*values] if P is list else dict(zip(names, values, strict=True))
    y = empty(P)
    for name, v in zip(names, values, strict=True):
        object.__setattr__(y, name, v)
    return y


def fields_of(v: Any) -> dict[str, Any]:
    """The fields of an object, where reading one is nothing else."""
    fields = dict(stored(v))
    for name in fields:
        if is_looked_after(lookup(type(v), name)):
            raise Declined(f"the field {name}, which the class {type(v).__name__} looks after")
    return fields


def is_looked_after(found: Any) -> bool:
    """Whether what a class has by a name runs code when a field of that name is set."""
    return hasattr(type(found), "__set__") and not isinstance(found, MemberDescriptorType)


def lookup(P: type, name: str) -> Any:
    """What a class has by a name; `lookup` itself where it has nothing."""
    return next((Q.__dict__[name] for Q in P.__mro__ if name in Q.__dict__), lookup)


def named(P: type, name: str, missing: Any) -> Any:
    """What `P.name` is, where that is a function or a number or text that objects share; else `missing`."""
    found = lookup(P, name)
    if hasattr(type, name) and name not in P.__dict__:
        return missing
    if isinstance(found, staticmethod):
        found = found.__func__
    return found if type(found) is FunctionType or is_constant(found) else missing


def is_without_object(owner: Any, name: str) -> bool:
    """Whether a method of this is given a class or nothing in the place of an object."""
    return isinstance(owner, type) or isinstance(lookup(type(owner), name), staticmethod | classmethod)


def of_class(P: type, name: str) -> FunctionType | None:
    """The function of a class by this name that is given the class; None where there is none."""
    found = lookup(P, name)
    f = found.__func__ if isinstance(found, classmethod) else None
    return f if type(f) is FunctionType else None


def after(P: type, above: type, name: str) -> tuple[int, Any]:
    """What `super()` in a method of `above` finds for objects of P: the place in their order, and what."""
    order = P.__mro__
    for place in range(order.index(above) + 1, len(order)) if above in order else ():
        if name in order[place].__dict__:
            return place, order[place].__dict__[name]
    raise Declined(f"super().{name}, which is nowhere")


def method(P: type, name: str) -> FunctionType:
    """The function of a class by this name."""
    found = lookup(P, name)
    if type(found) is not FunctionType:
        raise Declined(f"{P.__name__}.{name}, which is no function")
    return found


def hold_rule(f: Any, args: tuple[Any, ...]) -> None:
    """Declined where somebody registered a rule for objects like these."""
    if find("reverse", f, args, {}) is not None:
        raise Declined(f"{getattr(f, '__name__', f)} of objects, which has a rule")


def hold_attribute(v: Any, name: str) -> None:
    """Declined where somebody registered a rule for reading this attribute."""
    key = attribute(name)
    if rules_of(key) is not None:
        hold_rule(key, (v,))


def operator_of(symbol: str, a: Any, b: Any) -> tuple[str, FunctionType]:
    """The function behind an operator with an object, and whether it is the reflected one."""
    if symbol in "&|^":
        raise Declined(f"the operator {symbol} of an object")
    name = OPERATORS[symbol].__name__
    if is_object(a):
        if is_object(b) and type(a) is not type(b) and lookup(type(b), f"__r{name}__") is not lookup:
            raise Declined("an operator of objects of two classes")
        return "operator", method(type(a), f"__{name}__")
    if type(a) is np.float64 and not any(lookup(type(b), n) is not lookup for n in _ARRAY_LIKE):
        return "reflected number", method(type(b), f"__r{name}__")  # which NumPy makes a float of
    if type(a) not in (float, int):
        raise Declined(f"an operator of a {type(a).__name__} and an object")
    return "reflected", method(type(b), f"__r{name}__")


def unary_of(symbol: str, a: Any) -> FunctionType:
    """The function behind a sign before an object."""
    if symbol not in _UNARY:
        raise Declined("the truth of an object")
    return method(type(a), _UNARY[symbol])


def generated(P: type) -> bool:
    """Whether the class is a dataclass whose constructor only sets its fields, in order."""
    init = lookup(P, "__init__")
    if not dataclasses.is_dataclass(P) or getattr(init, "__code__", None) is None:
        return False
    if init.__code__.co_filename != "<string>" or hasattr(P, "__post_init__"):
        return False
    fields = dataclasses.fields(P)
    factories = (dataclasses.MISSING, list, dict)
    plain = all(f.init and f.default_factory in factories and not f.kw_only for f in fields)
    names = init.__code__.co_varnames[1 : init.__code__.co_argcount]
    return plain and names == tuple(f.name for f in fields) and type(init) is FunctionType


def fresh_fields(P: type) -> dict[str, Any]:
    """The fields of a dataclass that are a list or dictionary of their own where they are not given."""
    fields = dataclasses.fields(P) if dataclasses.is_dataclass(P) else ()
    return {f.name: f.default_factory for f in fields if f.default_factory in (list, dict)}


def keys_of_copy(P: Any) -> tuple[str, ...]:
    """The fields that make a copy of an object or named tuple, where nothing else belongs to it."""
    if is_named(P) and _made_by(P, "_replace").__bases__ == (tuple,):
        return tuple(P._fields)
    if is_plain_class(P) and dataclasses.is_dataclass(P) and all(f.init for f in dataclasses.fields(P)):
        return tuple(f.name for f in dataclasses.fields(P))
    raise Declined(f"a copy of a {P.__name__} with other fields")


def is_choice(v: Any) -> bool:
    """Whether this is one of the members of an enumeration that are no numbers or texts."""
    return isinstance(v, enum.Enum) and not isinstance(v, int | float | str)


def snapshot(P: type) -> list[tuple[type, dict[str, Any]]]:
    """What the classes of an object hold now."""
    return [(Q, dict(Q.__dict__)) for Q in P.__mro__[:-1]]


def is_constant(v: Any) -> bool:
    """Whether what a class has by a name is a value that its objects share."""
    return type(v) in (float, int, bool, str, type(None), np.float64)
