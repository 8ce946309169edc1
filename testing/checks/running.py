"""Running the derivative under test for a check, so that whatever it raises is named.

What several checks ask for is computed once: the value and pullback of a first run, the cotangents that a
pullback first gives for each seed, the tangent along each argument. A pullback that raises is asked again
for each argument alone: where only some of them raise, those are the ones at fault.
"""

from __future__ import annotations

from textwrap import indent
from typing import Any

from ..case import Case
from ..primals import mismatch, shares_memory
from ..sources import Pullback


def run_reverse(case: Case, needs: tuple[bool, ...] | None = None) -> tuple[Any, Pullback]:
    """The value and pullback of the rule."""
    found = case.attempt("reverse rule", case.source.reverse, case.args, needs or case.needs)
    if found is None:
        _missing(case, "reverse")
    case.unchanged_inputs("the reverse rule")
    return found[0], found[1]


def first_run(case: Case) -> tuple[Any, Pullback]:
    """The value and pullback of the first run, which checks share."""
    return case.once("run", lambda: run_reverse(case))


def cotangents_of(case: Case, which: int, check: str) -> tuple[Any, ...]:
    """The cotangents of one of the two seeds, by a pullback called for the first time; checks share them.

    The first seed's are those of the first run, the second's of another.
    """

    def fresh() -> tuple[Any, ...]:
        pullback = (run_reverse(case) if which else first_run(case))[1]
        return pull(case, pullback, case.seeds[which], check)

    return case.once(("cotangents", which), fresh)


def pull(case: Case, pullback: Pullback, seed: Any, check: str) -> tuple[Any, ...]:
    """The cotangents for a seed."""
    try:
        cotangents = pullback(seed)
    except Exception as error:
        guilty = _guilty(case, seed)
        case.attempt(check, _again, error, argument=guilty[0] if len(guilty) == 1 else None)
    if type(cotangents) is not tuple or len(cotangents) != len(case.args):
        count = len(cotangents) if type(cotangents) is tuple else type(cotangents).__name__
        case.fail(
            "reverse arity", f"the pullback returned {count} for {len(case.args)} arguments",
            next="return a tuple with one cotangent for each argument",
        )  # fmt: skip
    return cotangents


def push(case: Case, tangents: tuple[Any, ...], check: str, argument: int | None = None) -> tuple[Any, Any]:
    """The value and its tangent."""
    found = case.attempt(check, case.source.forward, case.args, tangents, argument=argument)
    if found is None:
        _missing(case, "forward")
    case.unchanged_inputs("the forward rule")
    return found[0], found[1]


def push_once(
    case: Case, tangents: tuple[Any, ...], check: str, argument: int | None = None
) -> tuple[Any, Any]:
    """The value and its tangent, computed for the first check that asks."""
    return case.once(("tangent", *map(id, tangents)), lambda: push(case, tangents, check, argument))


def same_value(case: Case, mode: str, y: Any) -> None:
    """Fail where a rule's value is not the function's."""
    if found := mismatch(y, case.y, rtol=max(1e-10, 1e2 * case.eps)):
        case.fail(f"{mode} value", f"the rule and the function give different values: {found}")
    for i, x in enumerate(case.args):
        if shares_memory(y, x) and not shares_memory(case.y, x):
            case.fail(
                f"{mode} value aliasing", "the rule's value shares its memory, which the function's does not",
                argument=i, next="call the function itself in the rule, or copy",
            )  # fmt: skip


def _guilty(case: Case, seed: Any) -> list[int]:
    """The arguments whose cotangent, asked for alone, raises."""
    return [i for i in case.moved if _raises(case, seed, case.needs_only(i))]


def _raises(case: Case, seed: Any, needs: tuple[bool, ...]) -> bool:
    try:
        found = case.source.reverse(case.args, needs)
        if found is not None:
            found[1](seed)
    except Exception:
        return True
    return False


def _again(error: Exception) -> None:
    raise error


def _missing(case: Case, mode: str) -> None:
    case.fail(
        f"{mode} rule",
        f"there is none that fits; registered:\n{indent(str(case.source), '    ')}",
        next=f"register one with @{mode[0]}rule, or declare that only the other mode exists",
    )
