"""Nesting: calls of pullbacks that are objects, differentiated.

Such an object runs the pullback that it wraps between two linear maps, one for the seed and one for
the answers; so does its derivative, and the pullback of that, which takes the maps the other way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ....core.reverse import WrappedPullback
from ....core.seeds import absorbs
from ....tangents import ZERO, Composite, is_zero
from ..calls import forward_resolution, resolution
from ..calls.inner import Inner, Path, Seeding, Values
from ..calls.states import Stated, with_states
from ..values.answers import Placed, Transposed, after, as_result
from ..values.streams import Run, Side
from ..values.structures import parts_of
from .leaves import Paths, itself, python_function

_STATED = ((0, None), (3, None))
"""Of the answers for what `with_states` is called with, those for the pullback and for the seeds."""


def pullback_call(
    p: Any,
    seed: Any,
    callee: Path | None,
    paths: Paths,
    operands: Values,
    reverse_call: Callable[..., Inner],
) -> Inner:
    """A call of a pullback that is an object: of the pullback it wraps, between its linear maps."""
    if isinstance(p, WrappedPullback) and absorbs(seed):
        return Inner(
            operands, python_function(_known), (p.absorbed(seed), seed), {}, (None, paths[0]), itself
        )
    seeded = p.seed(seed)
    at = _seeded(paths, p, seeded)
    if isinstance(p, Stated | Run) and (answers := p.known(seeded)) is not None:
        return Inner(operands, python_function(_known), (answers, seed), {}, (None, paths[0]), itself)
    if isinstance(p, Stated):
        given, mask, every = p.given(seeded), (True, False, False, True), (callee, None, None, *at)
        base = reverse_call(with_states, given, {}, mask, False, None, every, operands)
        base = base.then(lambda back: Placed(back, _STATED))
    else:
        base = reverse_call(p.back, (seeded,), {}, (True,), True, callee, at, operands)

    def finish(result: Any) -> Any:
        answers, back = base.finish(result)
        return p.arrange(answers), Transposed(back, p, answers)

    def tangent(t: Any, result: Any) -> Any:
        t = base.tangent(t, result)
        return t if is_zero(t) else Composite[tuple](_arranged(p, t[0], base.finish(result)[0]), t[1])

    def cotangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        answers = base.finish(result)[0]
        return base.cotangent(Composite[tuple](_transposed(p, t[0], answers), t[1]), result)

    return replace(base, finish=finish, tangent=tangent, cotangent=cotangent)


def pullback_pushed(
    p: Any,
    seed: Any,
    dseed: Any,
    own: Any,
    callee: Path | None,
    paths: Paths,
    dots: Paths,
    own_path: Path | None,
    operands: Values,
    forward_call: Callable[..., Inner],
) -> Inner:
    """A call in forward mode of a pullback that is an object."""
    if isinstance(p, WrappedPullback) and absorbs(seed) and absorbs(dseed):
        answers = p.absorbed(seed)
        return Inner(operands, python_function(_unmoving), (answers, seed), {}, (None, paths[0]), itself)
    seeded, dseeded = p.seed(seed), ZERO if absorbs(dseed) else p.seed(dseed)
    own = own.second if isinstance(own, Side) else own
    known = p.known(seeded) if isinstance(p, Stated | Run) else None
    if known is not None and p.known(dseeded) is not None:
        return Inner(operands, python_function(_unmoving), (known, seed), {}, (None, paths[0]), itself)
    at, at_dots = _seeded(paths, p, seeded), _seeded(dots, p, dseeded)
    if isinstance(p, Stated):
        given, moved = p.given(seeded), (own, ZERO, ZERO, dseeded)
        every, every_dots = (callee, None, None, *at), (own_path, None, None, *at_dots)
        base = forward_call(with_states, given, {}, moved, None, None, every, every_dots, None, operands)
    else:
        base = forward_call(p.back, (seeded,), {}, (dseeded,), own, callee, at, at_dots, own_path, operands)

    def finish(result: Any) -> Any:
        answers, moved = base.finish(result)
        return p.arrange(answers), _arranged(p, moved, answers)

    def tangent(t: Any, result: Any) -> Any:
        t, answers = base.tangent(t, result), base.finish(result)[0]
        return t if is_zero(t) else Composite[tuple](*(_arranged(p, part, answers) for part in t))

    def cotangent(t: Any, result: Any) -> Any:
        if is_zero(t):
            return t
        answers = base.finish(result)[0]
        return base.cotangent(Composite[tuple](*(_transposed(p, part, answers) for part in t)), result)

    return replace(base, finish=finish, tangent=tangent, cotangent=cotangent)


def _seeded(paths: Paths, p: Any, seeded: Any) -> Paths:
    """The place of what a pullback makes of its seed."""
    (at,) = paths
    return (None if at is None else (*at, Seeding(p, seeded)),)


def _unmoving(answers: Any, seed: Any) -> Any:
    return answers, ZERO


def _arranged(p: Any, t: Any, answers: Any) -> Any:
    """The tangent of a pullback's answers, from that of what it wraps returned."""
    return ZERO if is_zero(t) else Composite[tuple](*p.arrange(as_result(t, answers)))


def _transposed(p: Any, t: Any, answers: Any) -> Any:
    """The other way round, for a cotangent."""
    return ZERO if is_zero(t) else p.transpose(parts_of(t, len(p.arrange(answers))), answers)


def _known(answers: Any, seed: Any) -> Any:
    """The answers to a seed that is zero, which depend on nothing."""

    def known_pullback(t: Any) -> Any:
        return ZERO, ZERO

    return answers, known_pullback


def pullback_in_reverse(p: Any, args: Values, varies: bool = True) -> tuple[Any, Any]:
    """A pullback that is an object, called with a seed that varies; by default it varies itself."""
    (seed,) = args
    if isinstance(p, WrappedPullback) and absorbs(seed):
        return _known(p.absorbed(seed), seed)  # type: ignore[no-any-return]  # a pair
    seeded = p.seed(seed)
    if isinstance(p, Stated | Run) and (known := p.known(seeded)) is not None:
        return _known(known, seed)  # type: ignore[no-any-return]  # a pair
    if isinstance(p, Stated):
        mask = (varies, False, False, True)
        answers, back = resolution.plain_in_reverse(with_states, "", p.given(seeded), {}, mask)
        back = Placed(back, _STATED)
    elif varies:
        answers, back = resolution.closure_in_reverse(p.back, "", (seeded,), {}, (True,))
    else:
        answers, back = resolution.plain_in_reverse(p.back, "", (seeded,), {}, (True,))
        back = after(back, 1)
    return p.arrange(answers), Transposed(back, p, answers)


def pullback_forward(p: Any, own: Any, args: Values, tangents: Values) -> tuple[Any, Any]:
    """The same, forward: linear in the seed, and the pullback moves with what it captured."""
    (seed,), (dseed,) = args, tangents
    if isinstance(p, WrappedPullback) and absorbs(seed) and absorbs(dseed):
        return p.absorbed(seed), ZERO
    seeded, dseed = p.seed(seed), ZERO if absorbs(dseed) else p.seed(dseed)
    own = own.second if isinstance(own, Side) else own
    known = p.known(seeded) if isinstance(p, Stated | Run) else None
    if known is not None and p.known(dseed) is not None:
        return known, ZERO
    if isinstance(p, Stated):
        moving = (own, ZERO, ZERO, dseed)
        answers, moved = forward_resolution.plain_forward(with_states, "", ZERO, p.given(seeded), {}, moving)
    else:
        answers, moved = forward_resolution.closure_forward(p.back, "", own, (seeded,), {}, (dseed,))
    return p.arrange(answers), _arranged(p, moved, answers)
