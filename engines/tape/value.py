"""The value that records: every protocol of Python and NumPy that it hears of becomes a call by a rule.

`isinstance` answers for the plain value, so that a program's own tests of types take the branch that
they take without derivatives. What is asked for a truth value, a size or an integer is answered with
plain ones. There is no change in place: `x += y` of an array is refused, of a number it is `x = x + y`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from types import FunctionType, MethodDescriptorType, MethodType, WrapperDescriptorType
from typing import Any

import numpy as np

from ...core.seeds import ready
from ...tangents import IndexedTangent, ItemTangent
from .calls import apply, call
from .levels import Recorded, is_recorded, plain
from .refusals import no_array, no_key, no_number, no_text, written

_METHODS = (FunctionType, MethodDescriptorType, WrapperDescriptorType)
_DENSE = (IndexedTangent.dense, ItemTangent.dense)


class Value(Recorded):
    """A recorded value, of a type of its own only to what asks `type`."""

    __slots__ = ()

    def __chainrules_call__(
        self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return call(f, args, kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(a is not None for a in kwargs.get("out", ())):
            raise written(plain(kwargs["out"][0]), f"{ufunc.__name__}(…, out=…), or an operator like +=,")
        return call(ufunc if method == "__call__" else getattr(ufunc, method), inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: tuple[Any, ...], kwargs: Any) -> Any:
        return call(function, args, kwargs)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise no_array(plain(self))

    @property
    def __class__(self) -> type:
        return type(plain(self))

    @__class__.setter
    def __class__(self, cls: type) -> None:
        raise written(plain(self), "x.__class__ = …")

    @property
    def shape(self) -> Any:
        return plain(self).shape

    @property
    def dtype(self) -> Any:
        return plain(self).dtype

    @property
    def ndim(self) -> Any:
        return plain(self).ndim

    @property
    def size(self) -> Any:
        return plain(self).size

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a protocol that is not listed here
            raise AttributeError(name)
        method = getattr(type(plain(self)), name, None)
        if method in _DENSE:  # a light tangent, of a run inside this one
            return lambda: call(ready, (self,))
        if isinstance(method, FunctionType):
            return MethodType(method, self)
        if isinstance(method, _METHODS):
            return lambda *args, **kwargs: call(method, (self, *args), kwargs)
        return call(getattr, (self, name))

    def __setattr__(self, name: str, x: Any) -> None:
        if name not in Recorded.__slots__:
            raise written(plain(self), f"x.{name} = …")
        object.__setattr__(self, name, x)

    def __setitem__(self, index: Any, x: Any) -> None:
        raise written(plain(self), "x[…] = …")

    def __delitem__(self, index: Any) -> None:
        raise written(plain(self), "del x[…]")

    def __getitem__(self, index: Any) -> Any:
        return call(operator.getitem, (self, plain(index)))

    def __iter__(self) -> Iterator[Any]:
        iter(plain(self))  # raises what Python would
        return (self[i] for i in range(len(self)))

    def __len__(self) -> int:
        return len(plain(self))

    def __contains__(self, x: Any) -> bool:
        return plain(x) in plain(self)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(apply, (self, *args), kwargs)

    def __bool__(self) -> bool:
        return bool(plain(self))

    def __int__(self) -> int:
        return int(plain(self))

    def __index__(self) -> int:
        return operator.index(plain(self))

    def __float__(self) -> float:
        raise no_number(plain(self), "float")

    def __complex__(self) -> complex:
        raise no_number(plain(self), "complex number")

    def __hash__(self) -> int:
        raise no_key(plain(self))

    def __repr__(self) -> str:
        return f"<recorded {plain(self)!r}>"

    def __format__(self, spec: str) -> str:
        raise no_text(plain(self))

    def __copy__(self) -> Value:
        return self

    def __deepcopy__(self, memo: Any) -> Value:
        return self

    def __divmod__(self, other: Any) -> Any:
        return call(divmod, (self, other))

    def __rdivmod__(self, other: Any) -> Any:
        return call(divmod, (other, self))

    def __round__(self, *digits: Any) -> Any:
        return call(round, (self, *digits))


def _unary(f: Callable[..., Any]) -> Callable[[Any], Any]:
    def operate(self: Any) -> Any:
        return call(f, (self,))

    return operate


def _binary(f: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        return call(f, (self, other)) if _is_known(other, self) else NotImplemented

    return operate


def _reflected(f: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        return call(f, (other, self))

    return operate


def _in_place(f: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        if not isinstance(plain(self), np.ndarray):
            return NotImplemented
        raise written(plain(self), f"{f.__name__}, as in x += y,")

    return operate


def _is_known(other: Any, beside: Value) -> bool:
    """Whether an operator of a recorded value takes this operand: a class of the user's may have its own."""
    kind = type(other)
    if is_recorded(other) or kind is type(plain(beside)):
        return True
    return kind.__module__ in ("builtins", "numpy", "decimal", "fractions", "datetime")


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"):
    _f = getattr(operator, f"{_name}_" if _name in ("and", "or") else _name)
    setattr(Value, f"__{_name}__", _binary(_f))
    setattr(Value, f"__r{_name}__", _reflected(_f))
    setattr(Value, f"__i{_name}__", _in_place(getattr(operator, f"i{_name}")))
for _name in ("lt", "le", "eq", "ne", "gt", "ge"):
    setattr(Value, f"__{_name}__", _binary(getattr(operator, _name)))
for _name in ("neg", "pos", "invert"):
    setattr(Value, f"__{_name}__", _unary(getattr(operator, _name)))
for _name, _f in (("abs", abs), ("floor", math.floor), ("ceil", math.ceil), ("trunc", math.trunc)):
    setattr(Value, f"__{_name}__", _unary(_f))
