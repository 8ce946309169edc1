"""Reverse mode against its contract: value, arity, kinds, differences, and how it treats seeds.

Along the random direction ẋ of one argument, ⟨x̄, ẋ⟩ must be ⟨ȳ, J ẋ⟩ by differences: a few
evaluations for any number of entries, and the argument at fault is known.
"""

from __future__ import annotations

from typing import Any

from ...tangents import ZERO, InplaceableThunk, Thunk, accumulate, add, all_zero, is_zero, scale, unthunk
from ..case import Case
from ..primals import Vector
from ..random import random_tangent
from ..sources import RuleSource
from .counting import calls_made
from .kinds import cotangent_kinds
from .precision import reverse_precision
from .running import cotangents_of, first_run, pull, run_reverse, same_value
from .seeds import alternative_seeds

DIFFERENCES = "reverse against differences"


def reverse_value(case: Case) -> None:
    """The rule computes what the function computes, and leaves its inputs alone."""
    same_value(case, "reverse", first_run(case)[0])


def reverse_kinds(case: Case) -> None:
    """A cotangent for each argument, each of its argument's space."""
    cotangent_kinds(case, cotangents_of(case, 0, "reverse kinds"))


def reverse_differences(case: Case) -> None:
    """⟨x̄, ẋ⟩ = ⟨ȳ, J ẋ⟩, J by differences, for each argument."""
    for which, seed in enumerate(case.seeds):
        y_bar = case.vector(DIFFERENCES, seed, case.y)
        cotangents = cotangents_of(case, which, DIFFERENCES)
        for i in case.moved:
            x_bar = case.vector(DIFFERENCES, cotangents[i], case.args[i], argument=i)
            dx = case.vector(DIFFERENCES, case.tangents[i], case.args[i], argument=i)
            slope = case.slope(i)
            _same_number(
                case, float(x_bar @ dx), float(y_bar @ slope.value), argument=i,
                size=max(float(abs(y_bar) @ abs(slope.value)), float(abs(x_bar) @ abs(dx))),
                error=float(abs(y_bar) @ slope.error),
            )  # fmt: skip


def reverse_linear(case: Case) -> None:
    """The pullback of −2s − 3t is the same sum of those of s and t, as of no norm and no constant."""
    check = "reverse linear in the seed"
    s, t = case.seeds
    parts = [cotangents_of(case, which, check) for which in (0, 1)]
    parts.append(pull(case, first_run(case)[1], add(scale(-2.0, s), scale(-3.0, t)), check))
    for i in case.moved:
        a, b, both = (case.vector(check, p[i], case.args[i], argument=i) for p in parts)
        case.same(
            check, both, -2 * a - 3 * b, named=("of the sum", "sum of each"), argument=i,
            scale=2 * abs(a) + 3 * abs(b), rtol=1e-7 if case.eps < 1e-12 else None,
        )  # fmt: skip


def reverse_repeatable(case: Case) -> None:
    """The same pullback called again, after another seed, gives the same, and spoils no earlier answer."""
    check = "reverse repeatable"
    pullback = first_run(case)[1]
    first = cotangents_of(case, 0, check)
    before = [case.vector(check, first[i], case.args[i], argument=i).copy() for i in case.moved]
    pull(case, pullback, case.seeds[1], check)
    still = [case.vector(check, first[i], case.args[i], argument=i).copy() for i in case.moved]
    again = pull(case, pullback, case.seeds[0], check)
    case.unchanged_inputs("the pullback")
    for i, was, kept in zip(case.moved, before, still, strict=True):
        now = case.vector(check, again[i], case.args[i], argument=i)
        case.same(check, kept, was, named=("the first answer became", "it was"), argument=i, rtol=1e-12)
        case.same(check, now, was, named=("a second call gives", "the first"), argument=i, rtol=1e-12)


def reverse_zero(case: Case) -> None:
    """A zero seed gives zeros."""
    check = "reverse of a zero seed"
    _, pullback = run_reverse(case)
    for i, x_bar in enumerate(pull(case, pullback, ZERO, check)):
        if i in case.moved and not all_zero(x_bar):
            case.fail(check, f"{unthunk(x_bar)!r}", argument=i)


def reverse_seeds(case: Case) -> None:
    """Thunks, indexed tangents, structures with a zero in them: each gives what the seed in full gives."""
    for kind, seed, full in alternative_seeds(case.y, case.seeds[0]):
        check = f"reverse of {kind} seed"
        got = _cotangents(case, check, seed)
        want = cotangents_of(case, 0, check) if full is case.seeds[0] else _cotangents(case, check, full)
        for i in case.moved:
            pair = [case.vector(check, t[i], case.args[i], argument=i) for t in (got, want)]
            case.same(check, *pair, named=("it gives", "in full"), argument=i, rtol=1e-7)


def reverse_forces_once(case: Case) -> None:
    """A thunked seed is evaluated once at most, however often the answers are looked at."""
    check, evaluated = "reverse forces a thunk once", []

    def seed() -> Any:
        evaluated.append(case.seeds[0])
        return case.seeds[0]

    source = case.source
    if is_zero(case.seeds[0]) or not isinstance(source, RuleSource) or source.mutates:
        return
    pullback = source.bare_pullback(case.args, case.needs)
    if pullback is None:
        return
    answers = case.attempt(check, pullback, Thunk(seed))
    for answer in answers:
        case.attempt(check, unthunk, answer)
    if len(evaluated) > 1:
        case.fail(
            check, f"the seed was evaluated {len(evaluated)} times", next="keep what unthunk(y_bar) gives"
        )


def reverse_accumulates(case: Case) -> None:
    """A cotangent that can add itself into an accumulator adds what it is."""
    check = "reverse accumulates"
    for i, x_bar in enumerate(cotangents_of(case, 0, check)):
        if isinstance(x_bar, InplaceableThunk):
            acc = random_tangent(case.args[i], case.rng)
            want = case.vector(check, acc, case.args[i], i) + case.vector(check, x_bar, case.args[i], i)
            total = case.attempt(check, accumulate, acc, x_bar, argument=i)
            got = case.vector(check, total, case.args[i], i)
            case.same(check, got, want, named=("in place", "the sum"), argument=i, rtol=1e-7)


def reverse_needs(case: Case) -> None:
    """A cotangent asked for alone is what it is among the others, and a rule that asks spares some work."""
    check = "reverse with needs"
    together, spared = cotangents_of(case, 0, check), 0
    if len(case.moved) > 1 and isinstance(case.source, RuleSource) and case.source.asks_needs:
        _work_is_spared(case, case.source, check)
    for i in case.moved if len(case.moved) > 1 else []:
        _, pullback = run_reverse(case, case.needs_only(i))
        alone = pull(case, pullback, case.seeds[0], check)
        pair = [case.vector(check, t[i], case.args[i], argument=i) for t in (alone, together)]
        case.same(check, *pair, named=("alone", "with the others"), argument=i, rtol=1e-7)
        spared += sum(_is_spared(alone[j]) for j in case.moved if j != i)
    if len(case.moved) > 1 and case.source.asks_needs and not spared:
        case.fail(
            check, "it asks for needs, and computes every cotangent whichever is needed",
            argument=case.moved[0], next="return Zero() for what nobody needs; a by-product may stay",
        )  # fmt: skip


def _work_is_spared(case: Case, source: RuleSource, check: str) -> None:
    """Fail where each cotangent alone takes as many of NumPy's calls as all of them, counted."""
    seed = case.seeds[0]

    def made(needs: tuple[bool, ...]) -> int | None:
        pullback = source.unprojected(case.args, needs)  # which keeps the class of what it is given
        return None if pullback is None else calls_made(pullback, seed, needs)

    whole = made(case.needs)
    if not whole:
        return
    alone = [made(case.needs_only(i)) for i in case.moved]
    if None not in alone and min(n for n in alone if n is not None) >= whole:
        case.fail(
            check, f"it asks for needs, and calls NumPy {whole} times whichever is needed",
            argument=case.moved[0], next="compute a cotangent where needs says so; a by-product may stay",
        )  # fmt: skip


def _is_spared(x_bar: Any) -> bool:
    return is_zero(x_bar) or isinstance(x_bar, Thunk)


def _cotangents(case: Case, check: str, seed: Any) -> tuple[Any, ...]:
    """The cotangents of a fresh pullback."""
    return pull(case, run_reverse(case)[1], seed, check)


def _same_number(case: Case, got: float, want: float, *, argument: int, size: float, error: float) -> None:
    numbers: list[Vector] = [case.number(v) for v in (got, want)]
    case.same(
        DIFFERENCES, *numbers, named=("⟨x̄, ẋ⟩ is", "by differences"), argument=argument,
        scale=size, error=error,
    )  # fmt: skip


REVERSE = (
    reverse_value,
    reverse_kinds,
    reverse_precision,
    reverse_repeatable,
    reverse_linear,
    reverse_differences,
    reverse_zero,
    reverse_seeds,
    reverse_forces_once,
    reverse_accumulates,
    reverse_needs,
)
"""In this order, so that a stateful or nonlinear pullback is named as what it is."""
