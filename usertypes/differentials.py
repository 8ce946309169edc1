"""`fwd_diff(f)` and `bwd_diff(f)`: a function on pairs, of values and of pointers alike.

    fwd_diff(f)(*pairs)         the pair of the value and its tangent; pointers are written through on the way
    bwd_diff(f)(*pairs, d_out)  nothing: `d` of each value's pair is set, each pointer's is written through

An argument that is no pair is a constant; a pointer must be one of a pair. A function without a result takes
no `d_out`. The tape engine runs the function, for it follows what runs wherever the pointers go; NumPy's
functions and operators are seen by it, functions written in C are refused by name and called as
`chainrules.call(f, x)`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from ..core import engine_or_default
from ..core.apply import as_tangent
from ..core.callables import name_of
from ..core.errors import NonScalarOutputError
from ..tangents import ZERO, Composite, fields_of, is_zero, materialize, project_to
from .paired import last_token, paired, session
from .pairing import diff_pair
from .pairs import DifferentialPair
from .roles import DifferentiablePtr, missing_differential
from .uses import accumulated

_TAPE = "tape"


def fwd_diff(f: Callable[..., Any], *, engine: Any = _TAPE) -> Callable[..., Any]:
    """The forward derivative of f: a function of pairs that gives the pair of the value and its tangent.

    Raises:  MissingDifferentialError for a pointer without a differential, before f runs.
    Example: >>> fwd_diff(lambda x: x * x)(diff_pair(3.0, 1.0))
             DifferentialPair(p=9.0, d=6.0)
    """

    @wraps(f, updated=())
    def differential(*pairs: Any) -> Any:
        arguments = _Arguments(pairs)
        values, tangents = arguments.values, arguments.tangents()

        def run(token: Any, *values: Any) -> Any:
            y, token = arguments.run(f, token, values)
            return token, y

        chosen: Any = engine_or_default(engine)
        pushed = chosen.jvp(run, (0.0, *values), (1.0, *tangents))
        (_, y), dy = pushed
        return None if y is None else _pair_of(y, ZERO if is_zero(dy) else tuple(dy)[1])

    return differential


def _pair_of(y: Any, dy: Any) -> Any:
    """The pair of a value and its tangent; where the value is a pair, so is the tangent."""
    if isinstance(y, DifferentialPair):
        given = {} if is_zero(dy) else fields_of(dy)
        return DifferentialPair(
            y, DifferentialPair(_dense(given.get("p", ZERO), y.p), _dense(given.get("d", ZERO), y.d))
        )
    return diff_pair(y, _dense(dy, y))


def _dense(t: Any, like: Any) -> Any:
    t = materialize(t, like=like)
    return tuple(t) if isinstance(t, Composite) and type(like) is tuple else t


def bwd_diff(f: Callable[..., Any], *, engine: Any = _TAPE) -> Callable[..., None]:
    """The reverse derivative of f: a function of pairs, and of the cotangent of the value.

    Shapes:  `d` of each pair of a value is set to its cotangent, whatever it was; what the differential of
             a pointer points to is added to where f reads, and taken out where f writes.
    Raises:  MissingDifferentialError for a pointer without a differential, before f runs;
             NonScalarOutputError for a cotangent that is missing, or of a function without a result.
    Example: >>> a, b = diff_pair(1.0), diff_pair(2.4)
             >>> bwd_diff(lambda a, b: (a * b * b, a * a))(a, b, (1.0, 0.0))
             >>> round(a.d, 12), round(b.d, 12)
             (5.76, 4.8)
    """
    count = _count(f)

    @wraps(f, updated=())
    def backward(*given: Any, d_out: Any = None) -> None:
        pairs: Any = given
        if d_out is None and count is not None and len(given) == count + 1:
            *pairs, d_out = given
        arguments = _Arguments(tuple(pairs))

        def run(token: Any, *values: Any) -> Any:
            y, token = arguments.run(f, token, values)
            return token, y

        chosen: Any = engine_or_default(engine)
        needs = (True,) * (1 + len(arguments.values))
        (_, y), pullback = chosen.reverse(run, (0.0, *arguments.values), {}, needs)
        if (y is None) is not (d_out is None):
            what = "returns nothing" if y is None else "returns a value"
            raise NonScalarOutputError(
                f"{name_of(f)} {what}, and {'a' if y is None else 'no'} cotangent of it was given",
                next="give the cotangent of the value after the pairs, and none where there is no value",
            )
        seed = ZERO if y is None else project_to(y)(as_tangent(d_out))
        arguments.set_differentials(pullback(Composite[tuple](1.0, seed))[1:])

    _say(backward, f)
    return backward


def _count(f: Callable[..., Any]) -> int | None:
    """How many positional parameters f has; None where that is open."""
    try:
        parameters = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def _say(backward: Any, f: Callable[..., Any]) -> None:
    """The signature of the reverse derivative, for who asks: pairs, and the cotangent of the value."""
    try:
        parameters = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return
    if any(
        p.name == "d_out" or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in parameters
    ):
        return
    shown = [p.replace(annotation=DifferentialPair, default=p.empty) for p in parameters]
    d_out = inspect.Parameter("d_out", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    backward.__signature__ = inspect.Signature([*shown, d_out], return_annotation=None)


class _Arguments:
    """The arguments of a derivative: pairs of values, pairs of pointers, and constants."""

    def __init__(self, given: tuple[Any, ...]) -> None:
        for a in given:
            if isinstance(a, DifferentiablePtr):
                raise missing_differential(type(a))
        self.given = given
        self.pairs = [a for a in given if isinstance(a, DifferentialPair) and not _is_pointer(a)]
        self.values = tuple(pair.p for pair in self.pairs)

    def tangents(self) -> tuple[Any, ...]:
        """The tangents of the values, in their spaces."""
        return tuple(
            ZERO if pair.d is None else project_to(pair.p)(as_tangent(pair.d)) for pair in self.pairs
        )

    def run(self, f: Callable[..., Any], token: Any, values: tuple[Any, ...]) -> Any:
        """f's value on values that are recorded and pointers that are paired, and the last token."""
        rest = iter(values)
        with session(token) as number:
            y = f(*[self._given(a, rest, number) for a in self.given])
            return y, last_token(number)

    def _given(self, a: Any, values: Any, number: int) -> Any:
        if not isinstance(a, DifferentialPair):
            return a
        return paired(a.p, a.d, number) if _is_pointer(a) else next(values)

    def set_differentials(self, cotangents: tuple[Any, ...]) -> None:
        """Set `d` of each pair of a value."""
        for pair, t in zip(self.pairs, cotangents, strict=True):
            pair.d = accumulated(pair.p, materialize(t, like=pair.p))


def _is_pointer(pair: DifferentialPair) -> bool:
    p = pair.p
    while isinstance(p, DifferentialPair):
        p = p.p
    return isinstance(p, DifferentiablePtr)
