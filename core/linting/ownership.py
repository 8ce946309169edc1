"""Whose rule it is: rules for what belongs to others, and rules that take everything.

A distribution owns its own functions and types, and what it announced rules for. A rule is in its
place where the function or one of the data types is its own; elsewhere two packages may write the
same rule, and whichever is imported decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..callables import Attribute, name_of
from ..loading import announced, root_of
from ..registry import Method, Rules
from .finding import Finding
from .methods import members


def piracy(rules: Rules, method: Method) -> Iterator[Finding]:
    """A rule for another party's function on other parties' types."""
    if method.rule is None:
        return
    owned = _owned(method)
    types = [t for annotation in _annotations(method) for t in members(annotation)]
    homes = {t.__module__.partition(".")[0] for t in types if t is not object}
    function = set() if isinstance(rules.f, Attribute) else {root_of(rules.f)}
    if not owned & (homes | function):
        theirs = ", ".join(sorted(homes | function))
        yield Finding(
            "piracy", method, name_of(rules.f),
            f"{method.rule.__module__} registers it for a function and types of {theirs}",
            "another package may register the same, and importing this one changes what others compute",
            "give it a type of your own, offer it to the owner, or announce it by an entry point",
        )  # fmt: skip


def catch_all(rules: Rules, method: Method) -> Iterator[Finding]:
    """A rule for another party's function that takes every type."""
    if method.rule is None or root_of(rules.f) == method.rule.__module__.partition(".")[0]:
        return
    annotations = _annotations(method)
    if annotations and all(members(a) == (object,) for a in annotations):
        yield Finding(
            "catch-all", method, name_of(rules.f), "none of its data parameters has a type",
            "it answers for types that it was not written for, instead of the error that names them",
            "annotate the types that it is right for (cr.Array for numbers and arrays)",
        )  # fmt: skip


def _annotations(method: Method) -> list[object]:
    star = method.signature.variadic
    return [*method.signature.types, *([] if star is None else [star])]


def _owned(method: Method) -> set[str]:
    """The libraries that the distribution of a rule may write rules for."""
    assert method.rule is not None
    home = method.rule.__module__.partition(".")[0]
    python = {"builtins"} if home == __name__.partition(".")[0] else set()  # ours before it is announced
    return (
        {home}
        | python
        | {
            library.partition(".")[0]
            for library, modules in announced().items()
            if any(module.partition(".")[0] == home for module in modules)
        }
    )
