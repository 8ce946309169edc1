"""Ready: the programs of one function for arguments of the same kinds, which are found once.

Where a solution moves, the same function is asked again and again at points of the same kinds, which the site
has told already (sites.py).
"""

from __future__ import annotations

from typing import Any

from ....core import debug
from ....core.recording import is_recording
from ..reading.blocks import Given
from ..reading.telling import Interrupted
from .entry import Settings, Variant, known_of, variant_at


class Ready:
    """What is known of the calls of one function with arguments of these kinds, by way."""

    __slots__ = ("state",)

    def __init__(self) -> None:
        self.state: tuple[Any, dict[Any, Variant]] = (None, {})

    def variant(self, f: Any, way: Any, x: tuple[Any, ...]) -> Variant | None:
        """As `variant_at`; the arguments are of the kinds that they were of before."""
        known = known_of(f)
        if known is None or is_recording() or debug.is_on():
            return None
        before, found = self.state
        if before is not known:
            found = {}
            self.state = known, found  # at once, for the sake of other threads
        variant = found.get(way)
        if variant is None:
            variant = variant_at(known, way, x)
            if variant is not None:
                found[way] = variant
        return variant

    def holding(self, f: Any, places: Any, x: tuple[Any, ...]) -> Any:
        """What gives value and gradients of such arguments, if it holds now; None where there is none."""
        variant = self.variant(f, places, x)
        program = None if variant is None or not Settings.on or Settings.compared else variant.program
        if program is None or program.written or program.commits or program.unused:
            return None
        return program.run if program.holds() else None

    def gradients(self, f: Any, places: Any, x: tuple[Any, ...]) -> Any:
        """Value and gradients by the specialised program; None where there is none, or it does not fit."""
        variant = self.variant(f, places, x)
        program = None if variant is None or not Settings.on or Settings.compared else variant.program
        if variant is None or program is None or program.written or program.commits or program.unused:
            return None
        try:
            if not program.holds():
                variant.missed(void=True)
                return None
            return program.run(*x)
        except Given:
            variant.missed()
        except Interrupted as told:
            raise told.error from None
        except Exception:
            pass
        return None
