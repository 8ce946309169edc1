"""Makers: the steps of one text by what they make, for what takes objects apart."""

from __future__ import annotations

from collections.abc import Callable

from .composed import Kind
from .steps import Step, walk


class Makers:
    """The steps of one text, and how more of them are made."""

    def __init__(
        self,
        steps: list[Step],
        fresh: Callable[[str], str],
        number: Callable[[], int],
        given: Callable[[str], Kind],
    ) -> None:
        """`given`: the kind of a parameter or constant, None for others."""
        self.steps, self.fresh, self.number, self.given = steps, fresh, number, given
        self.makers: dict[str, list[Step]] = {}
        for s in walk(steps):
            if s.target:
                self.makers.setdefault(s.target, []).append(s)
