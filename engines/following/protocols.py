"""Protocols: functions of NumPy's that are given objects whose class says what these do with them.

That is `__array_ufunc__`, `__array_function__`, or `__array__`, which NumPy asks unseen. Classes of arrays
inherit them, and are left to the rules.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from types import FunctionType, MethodDescriptorType
from typing import Any

import numpy as np

from ...core.installed import is_followed
from .calls import SITES, call, site
from .leaves import is_simple
from .taking import taken

_OF_NUMPY = (np.ndarray, np.generic)
_OTHERWISE = {"mul": "multiply", "neg": "negative", "pos": "positive", "pow": "power", "sub": "subtract"}
_UFUNCS = {
    getattr(operator, name): getattr(np, _OTHERWISE.get(name, name))
    for name in ("add", "floordiv", "invert", "matmul", "mod", "truediv", *_OTHERWISE)
    if hasattr(np, _OTHERWISE.get(name, name))
} | {operator.truediv: np.true_divide, operator.floordiv: np.floor_divide}
"""What the operators of arrays are among NumPy's functions."""
_METHODS: dict[Any, str] = {
    getattr(np.ufunc, name): name for name in ("reduce", "accumulate", "outer", "reduceat", "at")
}


@site
def by_protocol(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the class of an argument says of a call of NumPy's; NotImplemented where none says anything."""
    if f is pow and len(args) == 2 and (_says(args[0], "__pow__") or _says(args[1], "__rpow__")):
        return SITES["pow"](*args)
    if f is divmod:
        return _divided(*args)
    if type(f) is type(operator.add) and any(isinstance(x, _OF_NUMPY) for x in args):
        f = _UFUNCS.get(f, f)
    method = "__call__"
    if type(f) is MethodDescriptorType and f in _METHODS and args:  # `np.add.reduce(x)`
        method, f, args = _METHODS[f], args[0], args[1:]
    is_ufunc = isinstance(f, np.ufunc)
    if not is_ufunc and not (getattr(f, "__module__", None) or "").startswith("numpy"):
        return NotImplemented
    name = "__array_ufunc__" if is_ufunc else "__array_function__"
    inside = () if is_ufunc else [v for x in args if isinstance(x, list | tuple) for v in x]
    asked = _asked(name, (*args, *inside, *kwargs.values()))
    for x in asked:
        own, types = getattr(type(x), name), tuple(dict.fromkeys(map(type, asked)))
        y = call(own, x, f, method, *args, **kwargs) if is_ufunc else call(own, x, f, types, args, kwargs)
        if y is not NotImplemented:
            return y
    others = tuple([x if is_simple(x) else taken(x) for x in args])
    same = all(a is b for a, b in zip(others, args, strict=True))
    whole = f if method == "__call__" else getattr(f, method)
    return NotImplemented if same else call(whole, *others, **kwargs)


def _divided(a: Any, b: Any) -> Any:
    """`divmod(a, b)` by the method of a class of the user's; NotImplemented where it has none."""
    for x, y, name in ((a, b, "__divmod__"), (b, a, "__rdivmod__")):
        if _says(x, name):
            made = call(getattr(type(x), name), x, y)
            if made is not NotImplemented:
                return made
    return NotImplemented


def _says(x: Any, name: str) -> bool:
    """Whether the class of an object, which is no array, has such a method of the user's."""
    method = getattr(type(x), name, None)
    return isinstance(method, FunctionType) and is_followed(method) and not isinstance(x, _OF_NUMPY)


def _asked(name: str, values: Iterable[Any]) -> list[Any]:
    """One object of each class that is asked, a class before those that it inherits from."""
    found: list[Any] = []
    for x in values:
        if _says(x, name) and type(x) not in map(type, found):
            bases = [i for i, y in enumerate(found) if issubclass(type(x), type(y))]
            found.insert(bases[0] if bases else len(found), x)
    return found
