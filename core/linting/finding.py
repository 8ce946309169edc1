"""A finding: which rule, where, what is wrong with it, why that matters, and what to do."""

from __future__ import annotations

from typing import NamedTuple

from ..registry import Method


class RuleLintWarning(UserWarning):
    """A rule registered in debug mode has a mistake that the linter sees."""


class Finding(NamedTuple):
    """One mistake in one rule."""

    code: str
    method: Method
    function: str
    what: str
    why: str
    next: str

    def __str__(self) -> str:
        return (
            f"{self.code}: {self.method.mode} rule {self.method.name} of {self.function}: {self.what}\n"
            f"  where: {self.method.location}\n  why: {self.why}\n  next: {self.next}"
        )
