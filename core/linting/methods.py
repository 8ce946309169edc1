"""Methods against one another: two that fit a call equally well, one that is never chosen, a lone mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from types import UnionType
from typing import Any, get_args

from ..callables import name_of
from ..errors import AmbiguousRuleError
from ..registry import Method, Mode, Rules
from .finding import Finding

Types = tuple[type, ...]


def ambiguous(rules: Rules, methods: Iterable[Method]) -> Iterator[Finding]:
    """Types that two rules take and for which neither is the more specific."""
    chosen = [m for m in methods if m.rule is not None]
    for mode in ("forward", "reverse"):
        others = [m for m in rules.methods[mode] if m.rule is not None]
        for a, b in combinations(others, 2):
            if a in chosen or b in chosen:
                witness = next(
                    (t for t in _both_take(rules, a, b) if _answer(rules, mode, t) == "ambiguous"), None
                )
                if witness is not None:
                    yield Finding(
                        "ambiguous", b, name_of(rules.f),
                        f"it and {a} fit ({_named(witness)}) equally well",
                        "such a call raises AmbiguousRuleError",
                        f"register a rule for exactly ({_named(witness)}), or narrow one of the two",
                    )  # fmt: skip


def unreachable(rules: Rules, method: Method) -> Iterator[Finding]:
    """A rule all of whose types are taken by more specific ones."""
    if method.rule is None:
        return
    if any(
        _answer(rules, method.mode, types) in (method, "ambiguous") for types in _combinations(rules, method)
    ):
        return
    yield Finding(
        "unreachable", method, name_of(rules.f), "other rules or opt-outs answer for all its types",
        "it never runs", "remove it, or give it types that nothing else takes",
    )  # fmt: skip


def lone(rules: Rules, methods: Iterable[Method]) -> Iterator[Finding]:
    """A rule for whose types there is none in the other mode, and nothing says why."""
    for method in methods:
        other: Mode = "reverse" if method.mode == "forward" else "forward"
        if method.rule is None:
            continue
        if method.mode in rules.only:
            if any(m.rule is not None for m in rules.methods[other]):
                yield Finding(
                    "lone", method, name_of(rules.f),
                    f"{rules.f.__name__} is declared {method.mode}_only and has {other} rules",
                    "the declaration is wrong", f"remove {method.mode}_only",
                )  # fmt: skip
            continue
        answers = (t for t in _combinations(rules, method) if _answer(rules, method.mode, t) is method)
        missing = next((t for t in answers if not _answered(rules, other, t)), None)
        if missing is not None:
            yield Finding(
                "lone", method, name_of(rules.f), f"there is no {other} rule for ({_named(missing)})",
                f"{other} mode stops at such a call",
                f"register an {other[0]}rule beside it, or declare {method.mode}_only(f, why=...)",
            )  # fmt: skip


def _answer(rules: Rules, mode: Mode, types: Types) -> Method | str | None:
    """The method that answers for these types, or `ambiguous`; None where none does, or an opt-out."""
    try:
        return rules.resolve(mode, types)
    except AmbiguousRuleError:
        return "ambiguous"


def _answered(rules: Rules, mode: Mode, types: Types) -> bool:
    """Whether there are rules for these types, or for narrower ones that the rest has no values of."""
    if _answer(rules, mode, types) is not None:
        return True
    slots = (_slots(m, len(types)) for m in rules.methods[mode] if m.rule is not None)
    return any(
        all(any(issubclass(u, t) for u in members(x)) for t, x in zip(types, each, strict=True))
        for each in slots
        if each is not None
    )


def _both_take(rules: Rules, a: Method, b: Method) -> Iterator[Types]:
    """Choices of types that fit both methods, for each number of data that both take."""
    longest = max(len(a.signature.types), len(b.signature.types))
    for count in range(longest + 1):
        ours, theirs = _slots(a, count), _slots(b, count)
        if ours is not None and theirs is not None:
            meets = [
                [t for s, u in product(members(x), members(y)) if (t := _common(s, u)) is not None]
                for x, y in zip(ours, theirs, strict=True)
            ]
            yield from product(*_told_apart(rules, meets))


def _combinations(rules: Rules, method: Method) -> Iterator[Types]:
    """Choices of types that a method takes, with all its data and with as few as it can have."""
    for count in sorted({len(method.signature.types), method.signature.required}, reverse=True):
        slots = _slots(method, count)
        if slots is not None:
            yield from product(*_told_apart(rules, [members(annotation) for annotation in slots]))


def _told_apart(rules: Rules, slots: Sequence[Iterable[type]]) -> list[list[type]]:
    """Of the classes in each slot one for each way in which the rules see them, so that all are tried."""
    others = [each for m in rules.every if (each := _slots(m, len(slots))) is not None]
    kept = []
    for i, classes in enumerate(slots):
        named = {members(each[i]) for each in others}
        seen = {tuple(_seen(c, types) for types in named): c for c in reversed([*classes])}
        kept.append([*seen.values()][::-1])
    return kept


def _seen(c: type, types: tuple[type, ...]) -> tuple[bool, bool]:
    """Whether a class is one of an annotation, and whether it is a base of one."""
    return issubclass(c, types), any(issubclass(t, c) for t in types)


def _slots(method: Method, count: int) -> tuple[Any, ...] | None:
    """The annotations of so many data; None where the method does not take so many."""
    signature = method.signature
    if signature.variadic is not None:
        return (*signature.types, *(signature.variadic,) * (count - len(signature.types)))[:count]
    return signature.types[:count] if signature.required <= count <= len(signature.types) else None


def members(annotation: Any) -> tuple[type, ...]:
    """The classes of an annotation."""
    if isinstance(annotation, UnionType):
        return get_args(annotation)
    return (object,) if annotation is Any else (annotation,)


def _common(s: type, t: type) -> type | None:
    """A class that is both: the narrower one, or one that inherits from the two as np.float64 does."""
    if issubclass(s, t):
        return s
    if issubclass(t, s):
        return t
    below, seen = [s], {s}
    while below:
        for c in type.__subclasses__(below.pop()):
            if issubclass(c, t):
                return c
            if c not in seen:
                seen.add(c)
                below.append(c)
    return None


def _named(types: Types) -> str:
    return ", ".join(t.__name__ for t in types)
