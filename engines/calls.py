"""How the operators call an engine: as rules do."""

from __future__ import annotations

from ..core.calls import forward_of, reverse_of

__all__ = ["forward_of", "reverse_of"]
