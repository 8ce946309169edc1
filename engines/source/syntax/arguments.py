"""Arguments: between the operands that the syntax of a call shows and the values it passes.

A starred operand passes several values and a `**mapping` several keywords; their cotangents are
brought together again, as that of the tuple or dict.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ....core import non_differentiable
from ....core.seeds import ready
from ....tangents import ZERO, Composite


@dataclass(frozen=True)
class Layout:
    """Which operands vary, which are starred, and the names of the last ones that are keywords."""

    mask: tuple[bool, ...]
    keywords: tuple[str | None, ...]
    starred: tuple[bool, ...]

    @functools.cached_property
    def positional(self) -> int:
        return len(self.mask) - len(self.keywords)

    @functools.cached_property
    def direct(self) -> bool:
        """Each operand passes exactly one value."""
        return not any(self.starred[: self.positional]) and None not in self.keywords

    def spread(self, operands: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any], tuple[bool, ...]]:
        """The arguments, the keyword arguments, and which of all their values vary."""
        n = self.positional
        if self.direct:
            return operands[:n], dict(zip(self.keywords, operands[n:], strict=True)), self.mask  # type: ignore[arg-type]  # direct: no None
        args: list[Any] = []
        needs: list[bool] = []
        for operand, star, varies in zip(operands[:n], self.starred, self.mask, strict=False):
            values = tuple(operand) if star else (operand,)
            args += values
            needs += [varies] * len(values)
        kwargs: dict[str, Any] = {}
        for operand, name, varies in zip(operands[n:], self.keywords, self.mask[n:], strict=True):
            given = dict(operand) if name is None else {name: operand}
            if repeated := kwargs.keys() & given.keys():
                raise TypeError(f"got multiple values for keyword argument {sorted(repeated)[0]!r}")
            kwargs |= given
            needs += [varies] * len(given)
        return tuple(args), kwargs, tuple(needs)

    def place(self, operand: int, count: int, names: Mapping[str, Any]) -> int:
        """Where a value that no star passes stands among the arguments, of which so many are positional."""
        n = self.positional
        return operand if operand < n else count + list(names).index(str(self.keywords[operand - n]))

    def gather(
        self, answers: tuple[Any, ...], count: int, keywords: tuple[str, ...], sizes: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        """One cotangent for each operand, from one for each value."""
        n, taken = self.positional, 0
        gathered: list[Any] = []
        for star, size in zip(self.starred[:n], sizes, strict=False):
            if star:
                part = answers[taken : taken + size]
                gathered.append(Composite[tuple](*part) if any(t is not ZERO for t in part) else ZERO)
                taken += size
            else:
                gathered.append(answers[taken])
                taken += 1
        by_name = dict(zip(keywords, answers[count:], strict=True))
        for name, size in zip(self.keywords, sizes[n:], strict=True):
            if name is None:
                gathered.append(Composite[dict]({k: by_name[k] for k in size}))
            else:
                gathered.append(by_name[name])
        return tuple(gathered)

    def spread_tangents(self, tangents: tuple[Any, ...], sizes: tuple[Any, ...]) -> tuple[Any, ...]:
        """One tangent for each value, from one for each operand."""
        n = self.positional
        spread: list[Any] = []
        for tangent, star, size in zip(tangents[:n], self.starred, sizes, strict=False):
            if not star:
                spread.append(tangent)
            elif tangent is ZERO:
                spread += [ZERO] * size
            else:
                spread += [ready(tangent)[i] for i in range(size)]
        for tangent, name, size in zip(tangents[n:], self.keywords, sizes[n:], strict=True):
            if name is not None:
                spread.append(tangent)
            else:
                spread += [ZERO if tangent is ZERO else ready(tangent)[k] for k in size]
        return tuple(spread)


def sizes_of(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is remembered of operands that may be starred: how many values each has, or its keys."""
    return tuple(
        tuple(v) if isinstance(v, dict) else len(v) if isinstance(v, tuple | list) else 1 for v in operands
    )


def distinct(names: tuple[str, ...], *mappings: Any) -> None:
    """Raise as Python does where `dict(k=v, **m)` gets a keyword twice."""
    met = set(names)
    for name in (name for mapping in mappings for name in mapping):
        if name in met:
            raise TypeError(f"dict() got multiple values for keyword argument {name!r}")
        met.add(name)


non_differentiable(distinct, why="looks at keys")
