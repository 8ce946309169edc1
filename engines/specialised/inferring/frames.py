"""Frames: the functions that are part of one text, and the names that their variables have in it."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

from ..reading.composed import Kind
from .recording import Profile


@dataclasses.dataclass
class Frame:
    """One function among those that are part of a text."""

    profile: Profile
    outer: Frame | None
    line: int
    names: dict[str, str] = dataclasses.field(default_factory=dict)
    stars: dict[str, tuple[Kind, tuple[Kind, ...]]] = dataclasses.field(default_factory=dict)
    looped: bool = False  # inside a loop
    self_: str | None = None  # the object that a constructor makes
    fields: dict[str, str] = dataclasses.field(default_factory=dict)

    def __post_init__(self) -> None:
        self.top = self.outer is None
        own = self.profile.f, self.profile.kinds
        self.stack: tuple[Any, ...] = (*(self.outer.stack if self.outer else ()), own)
        read = self.profile.f in self.profile.session.read
        self.body: Any = self.profile.f if read else self.outer.body if self.outer else None
        if self.outer is not None:
            self.looped = self.outer.looped
        else:
            self.names = _Same()

    def within(self) -> Frame:
        """The same function, inside a loop."""
        made = copy.copy(self)
        made.looped = True
        return made


class _Same(dict[str, str]):
    """Names that stay as they are."""

    def get(self, key: str, default: Any = None) -> Any:
        return dict.get(self, key, key)
