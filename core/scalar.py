"""`scalar_rule`: both modes of an elementwise function from one partial derivative per argument.

A partial is a function `(y, *x) -> ∂y/∂xᵢ` of the value and the arguments, or a constant; for
several arguments one function may return the tuple of all of them. Broadcasting is undone, the
cotangent takes its argument's realness and precision, and truth values get `NoTangent()`.

A holomorphic function pulls back by the conjugate of its partial. So does a real-valued function
of complex numbers (`np.abs`), its partial being the p with ẏ = Re(p ẋ). Any other function that is
not holomorphic (`holomorphic=False`) is refused for complex arguments.
With `strong_zero=True` a zero tangent or cotangent stays zero where the partial is infinite.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from ..tangents import ZERO, NotImplementedTangent
from ..tangents.spans import in_seconds
from .broadcasting import fit, fit_array
from .callables import name_of
from .changes import pure
from .errors import RegistrationError, UnsupportedArgument
from .pushing import FLOATS, forward_of, multiply, strong_multiply
from .registry import register
from .seeds import READY, absorbs, answer_to, ready
from .templates import Template
from .types import Array
from .ufuncs import takes_keywords

Partial = Callable[..., Any] | complex | NotImplementedTangent


def scalar_rule(
    f: Callable[..., Any],
    *partials: Partial,
    holomorphic: bool = True,
    strong_zero: bool = False,
    signature: str | None = None,
    templates: tuple[Template | None, ...] = (),
) -> None:
    """Register both rules of an elementwise function from its partial derivatives.

    f does nothing but compute its value (`pure`).

    Shapes:  f broadcasts as ufuncs do; a partial has the value's shape or broadcasts to it.
    Raises:  RegistrationError where the partials do not take the value and every argument.
    Example: >>> def cubed(x):
             ...     return x**3
             >>> scalar_rule(cubed, lambda y, x: 3 * x**2)
    """
    parts = _per_argument(f, partials)
    times = strong_multiply if strong_zero else multiply
    guard = None if holomorphic else _refuse_complex(f)
    name, caller = name_of(f).rpartition(".")[2], sys._getframe(1)

    is_sum = guard is None and not strong_zero and all(isinstance(part, int | float) for part in parts)

    def for_call(needs: tuple[bool, ...], types: tuple[Any, ...]) -> Any:
        if is_sum and types == (ndarray, ndarray):
            return _renamed(_sum_of_arrays(f, parts, needs), name)
        return _reverse(f, name, parts, needs, _pulls(parts, types, strong_zero), guard)

    types = (Array,) * len(parts)
    rule = for_call((True,) * len(parts), types)
    rule.for_call = for_call
    forward = _renamed(forward_of(f, parts, times, guard), name)
    forward.scalar = rule.scalar = Scalar(f, parts, strong_zero, templates)
    if isinstance(f, np.ufunc) and signature is None and f.nin == len(parts):
        takes_keywords(f, forward, rule, lambda made: _written_by(made, caller), complete=True)
        return
    for written in (forward, rule):
        _written_by(written, caller)
    pure(f)
    register(f, forward, "forward", types=types, declared=signature, complete=True)
    register(f, rule, "reverse", types=types, declared=signature, complete=True)


class Scalar(NamedTuple):
    """What a forward rule was made of, for engines that run the partials themselves: `rule.scalar`."""

    f: Callable[..., Any]
    parts: tuple[Partial, ...]
    strong_zero: bool
    templates: tuple[Template | None, ...] = ()


def _per_argument(f: Callable[..., Any], partials: Sequence[Partial]) -> tuple[Partial, ...]:
    """One partial for each argument, held to the number of arguments."""
    if not partials:
        raise RegistrationError(f"scalar_rule of {name_of(f)} without partials", next="give one per argument")
    arities = {len(inspect.signature(p).parameters) - 1 for p in partials if callable(p)}
    count = max(arities, default=len(partials))
    if len(partials) == 1 and count > 1 and callable(partials[0]):
        joint = partials[0]
        return tuple(_entry(f, joint, i, count) for i in range(count))
    if arities - {len(partials)}:
        raise RegistrationError(
            f"scalar_rule of {name_of(f)}: {len(partials)} partials, functions of {sorted(arities)} values",
            next="write each partial as a function of the value and every argument",
        )
    return tuple(partials)


def _entry(f: Callable[..., Any], joint: Callable[..., Any], i: int, count: int) -> Callable[..., Any]:
    """The partial by one argument, of a function that returns all of them."""

    def entry(y: Any, *x: Any) -> Any:
        partials = joint(y, *x)
        if not isinstance(partials, tuple | list) or len(partials) != count:
            raise RegistrationError(
                f"scalar_rule of {name_of(f)}: one function for {count} partials returns no tuple of them",
                next="give one partial for each argument, or return the tuple of all of them",
            )
        return partials[i]

    return entry


def _pulls(parts: tuple[Partial, ...], types: tuple[Any, ...], strong: bool) -> tuple[Any, ...]:
    """How each argument's cotangent is made of ȳ and the partial, for arguments of these types."""
    arrays = [t for t in types if t not in _NUMBERS]
    pulls: tuple[Any, ...] = ()
    for part, t in zip(parts, types, strict=True):
        alone = t is np.ndarray and arrays == [t]
        if strong:
            pull = _strong_pulled
        elif not arrays and not isinstance(part, complex | NotImplementedTangent):
            pull = _pulled_to_number
        elif callable(part):
            pull = _pulled_to_array if alone else _pulled
        else:
            pull = _kept if alone and part == 1 else _scaled
        pulls = (*pulls, pull)
    return pulls


def _reverse(
    f: Any, name: str, parts: tuple[Partial, ...], needs: tuple[bool, ...], pulls: Any, guard: Any
) -> Any:
    """The reverse rule that computes the cotangents wanted, its pullback named after f."""
    if len(parts) == 2 and pulls == (_pulled_to_number,) * 2 and not any(map(callable, parts)):
        return _renamed(_sum_of_numbers(f, _renamed(_slopes(parts, needs), name)), name)
    makers = {1: _unary, 2: _binary}
    conjugated = tuple(part if callable(part) else part.conjugate() for part in parts)
    return _renamed(makers.get(len(parts), _nary)(f, conjugated, needs, pulls, guard), name)


def _unary(f: Any, parts: Any, needs: Any, pulls: Any, guard: Any) -> Any:
    (part,), (pull,) = parts, pulls
    if pull is _pulled_to_array and guard is None:
        return _of_array(f, part)
    constant = not callable(part)

    def scalar_rrule(x: Any) -> Any:
        if guard is not None:
            guard(x)
        y = f(x)

        def scalar_pullback(y_bar: Any) -> Any:
            if type(y_bar) not in READY:
                if absorbs(y_bar):
                    return (answer_to(y_bar),)
                y_bar = ready(y_bar)
            return (pull(y_bar, part if constant else part(y, x), x),)

        return y, scalar_pullback

    return scalar_rrule


def _of_array(f: Any, part: Any) -> Any:
    """The rule of a function of one array, with what `_pulled_to_array` does in its place."""

    def scalar_rrule(x: Any) -> Any:
        y = f(x)

        def scalar_pullback(y_bar: Any) -> Any:
            if type(y_bar) not in READY:
                if absorbs(y_bar):
                    return (answer_to(y_bar),)
                y_bar = ready(y_bar)
            partial = part(y, x)
            x_bar = y_bar * partial
            if type(x_bar) is ndarray and x_bar.dtype is x.dtype and x.dtype in _REAL:
                return (x_bar,)
            return (fit(y_bar * _conjugate(partial), x),)

        return y, scalar_pullback

    return scalar_rrule


def _binary(f: Any, parts: Any, needs: Any, pulls: Any, guard: Any) -> Any:
    (part1, part2), (pull1, pull2), (need1, need2) = parts, pulls, needs
    constant1, constant2 = not callable(part1), not callable(part2)

    def scalar_rrule(x1: Any, x2: Any) -> Any:
        if guard is not None:
            guard(x1, x2)
        y = f(x1, x2)

        def scalar_pullback(y_bar: Any) -> Any:
            if type(y_bar) not in READY:
                if absorbs(y_bar):
                    return answer_to(y_bar), answer_to(y_bar)
                y_bar = ready(y_bar)
            x1_bar = x2_bar = ZERO
            if need1:
                x1_bar = pull1(y_bar, part1 if constant1 else part1(y, x1, x2), x1)
            if need2:
                x2_bar = pull2(y_bar, part2 if constant2 else part2(y, x1, x2), x2)
            return x1_bar, x2_bar

        return y, scalar_pullback

    return scalar_rrule


def _sum_of_numbers(f: Any, pullback: Any) -> Any:
    """The rule of a sum or difference of two numbers, for which one pullback serves all calls."""

    def scalar_rrule(x1: Any, x2: Any) -> Any:
        return f(x1, x2), pullback

    return scalar_rrule


def _sum_of_arrays(f: Any, parts: Any, needs: Any) -> Any:
    """The same of two arrays, of which the pullback keeps shapes and types alone."""
    (part1, part2), (need1, need2) = parts, needs

    def scalar_rrule(x1: Any, x2: Any) -> Any:
        space1, space2 = (x1.shape, x1.dtype), (x2.shape, x2.dtype)

        def scalar_pullback(y_bar: Any) -> Any:
            if type(y_bar) not in READY:
                if absorbs(y_bar):
                    return answer_to(y_bar), answer_to(y_bar)
                y_bar = ready(y_bar)
            x1_bar = fit_array(multiply(y_bar, part1), *space1) if need1 else ZERO
            return x1_bar, fit_array(multiply(y_bar, part2), *space2) if need2 else ZERO

        return f(x1, x2), scalar_pullback

    return scalar_rrule


def _slopes(parts: Any, needs: Any) -> Any:
    (part1, part2), (need1, need2) = parts, needs

    def scalar_pullback(y_bar: Any) -> Any:
        if type(y_bar) not in READY:
            if absorbs(y_bar):
                return answer_to(y_bar), answer_to(y_bar)
            y_bar = ready(y_bar)
        x1_bar = _pulled_to_number(y_bar, part1, 0.0) if need1 else ZERO
        return x1_bar, _pulled_to_number(y_bar, part2, 0.0) if need2 else ZERO

    return scalar_pullback


def _nary(f: Any, parts: Any, needs: Any, pulls: Any, guard: Any) -> Any:
    def scalar_rrule(*x: Any) -> Any:
        if guard is not None:
            guard(*x)
        y = f(*x)

        def scalar_pullback(y_bar: Any) -> Any:
            if absorbs(y_bar):
                return (answer_to(y_bar),) * len(parts)
            seed = ready(y_bar)
            cotangents: tuple[Any, ...] = ()
            for part, need, pull, argument in zip(parts, needs, pulls, x, strict=True):
                x_bar = pull(seed, part(y, *x) if callable(part) else part, argument) if need else ZERO
                cotangents = (*cotangents, x_bar)
            return cotangents

        return y, scalar_pullback

    return scalar_rrule


def _pulled(y_bar: Any, partial: Any, x: Any) -> Any:
    """ȳ times the conjugate of the partial, in the space of x; what is missing stays so."""
    if type(partial) is NotImplementedTangent:
        return partial
    return fit(y_bar * _conjugate(partial), x)


def _pulled_to_number(y_bar: Any, partial: Any, x: Any) -> Any:
    """The same where every argument is a number."""
    x_bar = y_bar * partial
    return x_bar if type(x_bar) in FLOATS else _pulled(y_bar, partial, x)


def _pulled_to_array(y_bar: Any, partial: Any, x: Any) -> Any:
    """The same where x is the one array, so that it was not stretched; a real product needs no conjugate."""
    x_bar = y_bar * partial
    if type(x_bar) is ndarray and x_bar.dtype is x.dtype and x.dtype in _REAL:
        return x_bar
    return _pulled(y_bar, partial, x)


def _scaled(y_bar: Any, partial: Any, x: Any) -> Any:
    """The same where the partial is a constant, conjugated already."""
    if type(partial) is NotImplementedTangent:
        return partial
    return fit(multiply(y_bar, partial), x)


def _kept(y_bar: Any, partial: Any, x: Any) -> Any:
    """The same where the partial is 1 and x is the one array."""
    return y_bar if type(y_bar) is ndarray and y_bar.dtype is x.dtype else fit(y_bar, x)


def _strong_pulled(y_bar: Any, partial: Any, x: Any) -> Any:
    """The same where a zero cotangent wins over an infinite partial."""
    if type(partial) is NotImplementedTangent:
        return partial
    return fit(strong_multiply(y_bar, _conjugate(partial)), x)


def _conjugate(partial: Any) -> Any:
    """The conjugate of a complex partial; a real one as it is, a span of time in seconds."""
    if type(partial) is np.ndarray:
        return partial if partial.dtype in _REAL else in_seconds(partial).conj()
    if type(partial) in _COMPLEX:
        return partial.conjugate()
    return np.conj(partial) if np.iscomplexobj(partial) else partial


_NUMBERS = frozenset({float, np.float64, int})
_REAL = frozenset({np.dtype(np.float64), np.dtype(np.float32)})
_COMPLEX = frozenset({complex, np.complex128, np.complex64})


def _refuse_complex(f: Callable[..., Any]) -> Callable[..., None]:
    def guard(*x: Any) -> None:
        for i, argument in enumerate(x):
            if np.iscomplexobj(argument):
                raise UnsupportedArgument(
                    f,
                    f"argument {i}",
                    argument,
                    why="it is not holomorphic, so its derivative at a complex number is no single number",
                    next="write it with real, imag and abs, or register a rule for complex arguments",
                )

    return guard


def _renamed(rule: Any, name: str) -> Any:
    """The rule and what it makes named after the function, so that a traceback reads `in tanh_pullback`."""
    old = rule.__code__
    consts = tuple(
        c.replace(co_name=f"{name}_pullback", co_qualname=f"{name}_pullback")
        if isinstance(c, CodeType) and c.co_name == "scalar_pullback"
        else c
        for c in old.co_consts
    )
    title = old.co_name.replace("scalar", name)
    code = old.replace(co_name=title, co_qualname=title, co_consts=consts)
    renamed = FunctionType(code, rule.__globals__, title, rule.__defaults__, rule.__closure__)
    renamed.__module__ = rule.__module__
    return renamed


def _written_by(rule: Any, caller: FrameType) -> None:
    """Let the rule say that it stands where `scalar_rule` was called: errors show it, a re-run keeps it."""
    rule.__module__ = caller.f_globals.get("__name__", rule.__module__)
    rule.written_at = f"{caller.f_code.co_filename}:{caller.f_lineno}"
