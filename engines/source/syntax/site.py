"""A call site: what the syntax of one active call shows, before anything runs.

Sites that show the same share one function, which is made when the first program needs it. The
makers for the two modes register themselves here, since what a site does leads back to programs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...calls import forward_of, reverse_of
from .arguments import Layout
from .ir import Call


@dataclass(frozen=True)
class Site:
    """Mode, kind of callee, which arguments vary, and how they are written."""

    mode: str  # "reverse" or "forward"
    callee: str
    mask: tuple[bool, ...]
    keywords: tuple[str | None, ...]
    starred: tuple[bool, ...]
    writes: tuple[int, ...] = ()  # the operands that the call may change
    shared: tuple[bool, ...] = ()  # the operands that may change later, so that a rule gets a copy
    unsettled: bool = False  # what the callee captured may change later
    steady: bool = False  # neither changes before the function that calls it returns

    @functools.cached_property
    def plain(self) -> bool:
        """Nothing but positional arguments of a callable that does not vary."""
        return not (
            self.callee != "plain"
            or self.keywords
            or any(self.starred)
            or self.writes
            or self.shared
            or self.unsettled
        )

    @functools.cached_property
    def name(self) -> str:
        """The name of the site in generated programs."""
        callee = "" if self.callee == "plain" else f"_{self.callee}"
        stars = "s" if any(self.starred) else ""
        words = "".join(f"_{k or 'kw'}" for k in self.keywords)
        marks = (
            "".join(f"_w{i}" for i in self.writes)
            + "".join(f"_c{i}" for i, c in enumerate(self.shared) if c)
            + "_u" * self.unsettled
            + "_s" * self.steady
        )
        return f"call{callee}_{''.join('01'[m] for m in self.mask)}{stars}{words}{marks}"

    @functools.cached_property
    def layout(self) -> Layout:
        return Layout(self.mask, self.keywords, self.starred)

    @functools.cached_property
    def spreads(self) -> bool:
        """Whether an operand that the call may change passes several values."""
        n, before = self.layout.positional, int(self.callee != "plain")
        several = {i for i, star in enumerate(self.starred[:n]) if star}
        several |= {n + i for i, name in enumerate(self.keywords) if name is None}
        return any(w - before in several for w in self.writes)

    @functools.cached_property
    def first(self) -> Site:
        """The site of a plain call of the first argument alone."""
        before = int(self.callee != "plain")
        writes, shared = tuple(w - before for w in self.writes), self.shared[before : before + 1]
        return Site(self.mode, "plain", self.mask[:1], (), self.starred[:1], writes, shared)

    @functools.cached_property
    def function(self) -> Callable[..., Any]:
        """What programs call, the same for equal sites, which are one object."""
        made = makers[self.mode](self)
        _known[id(made)] = self
        return made


makers: dict[str, Callable[[Site], Callable[..., Any]]] = {}
_sites: dict[tuple[Any, ...], Site] = {}
_simple: dict[tuple[str, str, tuple[bool, ...]], Site] = {}  # those of positional arguments alone
_known: dict[int, Site] = {}


def site_of(s: Call, mode: str, variables: list[str | None]) -> Site:
    """The site of a lowered call, whose arguments are these variables, None where nothing varies."""
    mask = tuple([v is not None for v in variables])
    if s.keywords or s.starred or s.writes or s.shared or s.unsettled:
        starred = tuple(s.starred) or (False,) * len(mask)
        later = s.shared, s.unsettled, s.steady
        return _site(mode, s.callee, mask, tuple(s.keywords), starred, tuple(s.writes), *later)
    found = _simple.get((mode, s.callee, mask))
    if found is None:
        found = _site(mode, s.callee, mask, (), (False,) * len(mask), (), (), False, False)
        _simple[mode, s.callee, mask] = found
    return found


def _site(*shown: Any) -> Site:
    return _sites.get(shown) or _sites.setdefault(shown, Site(*shown))


def site_called(f: Any) -> Site | None:
    """The site that a function of a generated program is, if it is one."""
    return _known.get(id(f))


def is_of_programs(f: Any) -> bool:
    """Whether f is a site, or one of the operators' calls of the engine, which nested.py knows."""
    return f is reverse_of or f is forward_of or site_called(f) is not None
