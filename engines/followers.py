"""Followers: the following engine, which is loaded when somebody asks for it or the source engine refuses."""

from __future__ import annotations

from typing import Any

from ..core.engine import name_engine_later
from .source.engine import SourceEngine


def following() -> Any:
    """The following engine."""
    from .following import engine

    return engine


SourceEngine.follower = staticmethod(following)
name_engine_later("following", following)
