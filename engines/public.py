"""The operators as users call them.

An operator is an ordinary program, and so is the function that it makes of f; both can be differentiated
themselves. Around them stands here what a user expects besides: the function has f's name, documentation and
signature, works as a method, and can be pickled; an error that leaves it shows the user's frames (see
core/tracebacks.py). Differentiation goes through to what is inside, as if this file were not there.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, TypeVar, cast

from ..core.callables import name_of
from ..core.decorators import frule, rrule
from ..core.tracebacks import shorten
from . import elementwise, hessians, jacobians, linear, mapping, minimizing, operators
from .following.natives import INSTEAD
from .source.explain import explain as explain_plainly
from .source.show import derivative_source as source_plainly
from .source.syntax.where import tell_place
from .source.verify import verify as verify_plainly
from .specialised.running import inner_gradients as inner_gradients  # whose rules are registered

_F = TypeVar("_F", bound=Callable[..., Any])


def _leaves(error: BaseException) -> None:
    """What is done to an error that leaves an operator."""
    tell_place(error)
    shorten(error)


class Derived(functools.partial):  # type: ignore[type-arg]  # of what any function returns
    """What an operator makes of a function: the program, which `func` is, under the function's name."""

    __wrapped__: Any
    _made_by: Any

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.func(*args, **kwargs)
        except Exception as error:
            _leaves(error)
            raise

    def __get__(self, owner: Any, P: Any = None) -> Any:
        return self if owner is None else MethodType(self, owner)

    def __repr__(self) -> str:
        operator, f, _, _ = self._made_by
        return f"<{operator} of {name_of(f)}>"

    def __reduce__(self) -> Any:
        if _named(self) is self:
            return self.__qualname__
        return _again, self._made_by


class _Documented:
    """The documentation of what an operator made, written when it is read."""

    def __get__(self, made: Any, kind: Any = None) -> str | None:
        return Derived.__doc__ if made is None else _documentation(made._made_by[0], made._made_by[1])


_ASSIGNED = tuple(name for name in functools.WRAPPER_ASSIGNMENTS if name != "__doc__")


class LinearMap(functools.partial):  # type: ignore[type-arg]  # of what any function returns
    """A pullback or a pushforward that an operator returns: the program, which `func` is."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.func(*args, **kwargs)
        except Exception as error:
            _leaves(error)
            raise

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.func.__qualname__.partition('.')[0]}>"


def _named(f: Any) -> Any:
    """What stands under the name that f goes by."""
    found: Any = sys.modules.get(getattr(f, "__module__", None) or "")
    for name in getattr(f, "__qualname__", "<>").split("."):
        found = getattr(found, name, None)
    return found


def _again(operator: str, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return globals()[operator](f, *args, **kwargs)


def inside(f: Any) -> Any:
    """The program of what an operator made; any other callable as it is."""
    return f.func if isinstance(f, Derived) else f


def _shown_as(call: FunctionType, name: str) -> FunctionType:
    """A function under the name by which a traceback is to show it."""
    code = call.__code__.replace(co_name=name)
    made = FunctionType(code, call.__globals__, name, call.__defaults__, call.__closure__)
    made.__kwdefaults__ = call.__kwdefaults__
    return made


def makes(operator: _F) -> _F:
    """An operator that makes a function of a function."""
    name = operator.__name__
    call = _shown_as(cast(FunctionType, Derived.__call__), name)
    kind = type(name, (Derived,), {"__call__": call, "__doc__": _Documented()})

    def called(f: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            made = kind(operator(inside(f), *args, **kwargs))
        except Exception as error:
            _leaves(error)
            raise
        functools.update_wrapper(made, f, _ASSIGNED, ())
        made._made_by = name, f, args, kwargs
        return made

    public = _public(called, operator)
    return cast(_F, public)


def answers(operator: _F, gives: str = "") -> _F:
    """An operator that is called with a function and its arguments.

    gives: what the linear map is called that it returns, alone or after a value.
    """
    kind = type(gives, (LinearMap,), {"__call__": _shown_as(cast(FunctionType, LinearMap.__call__), gives)})

    def called(f: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            found = operator(inside(f), *args, **kwargs)
        except Exception as error:
            _leaves(error)
            raise
        if not gives:
            return found
        return (found[0], kind(found[1])) if type(found) is tuple else kind(found)

    return cast(_F, _public(called, operator))


def _public(called: Callable[..., Any], operator: Any) -> Callable[..., Any]:
    public = _shown_as(cast(FunctionType, called), operator.__name__)
    INSTEAD[public.__code__] = operator
    functools.update_wrapper(public, operator)
    public.__module__ = __name__  # where pickle finds it
    return public


_WHAT = {
    "grad": "The gradient of {}.",
    "value_and_grad": "The value and the gradient of {}.",
    "derivative": "The derivative of {}.",
    "value_and_derivative": "The value and the derivative of {}.",
    "elementwise_grad": "The derivative of {}, entry by entry.",
    "hessian": "The second derivatives of {}.",
    "vmap": "{} for many samples.",
    "value_and_jacobian": "The value and the Jacobian of {}.",
}


def _documentation(name: str, f: Any) -> str:
    """What the function is that an operator made, and what f says of itself."""
    first = _WHAT.get(name, "The Jacobian of {}.").format(name_of(f))
    said = getattr(f, "__doc__", None)
    return f"{first}\n\n{said}" if said else first


grad = makes(operators.grad)
value_and_grad = makes(operators.value_and_grad)
derivative = makes(operators.derivative)
value_and_derivative = makes(operators.value_and_derivative)
elementwise_grad = makes(elementwise.elementwise_grad)
jacobian = makes(jacobians.jacobian)
jacfwd = makes(jacobians.jacfwd)
jacrev = makes(jacobians.jacrev)
value_and_jacobian = makes(jacobians.value_and_jacobian)
hessian = makes(hessians.hessian)
vmap = makes(mapping.vmap)
vjp = answers(operators.vjp, "pullback")
jvp = answers(operators.jvp)
hvp = answers(hessians.hvp)
linearize = answers(linear.linearize, "pushforward")
linear_transpose = answers(linear.linear_transpose, "transpose")
derivative_source = answers(source_plainly)
verify = answers(verify_plainly)
explain = answers(explain_plainly)
minimize = answers(minimizing.minimize)


@rrule(minimize)
def minimize_rrule(f: object, params: object, *args: object, **options: Any) -> Any:
    """none: refused, as what the steps of a search are derivatives of is no result"""
    raise minimizing.not_differentiated()


@frule(minimize)
def minimize_frule(tangents: Any, f: object, params: object, *args: object, **options: Any) -> Any:
    """none: the same"""
    raise minimizing.not_differentiated()
