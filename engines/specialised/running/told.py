"""Told: whether what a text prints or appends in the end is what the function would, in its order."""

from __future__ import annotations

from typing import Any

from ..inferring.inference import Inferred
from ..inferring.session import Session
from ..reading import lifting
from ..reading.declined import Declined
from ..reading.kinds import has_list, has_listed
from ..reading.manner import AS_WRITTEN, TELLING
from .agreeing import Disagreement


def session_of(f: Any, x: tuple[Any, ...]) -> Session:
    """A session for the gradient of f, which may tell something; one that a solver is given may not."""
    return Session(x, Inferred, manner=AS_WRITTEN if f.__name__ == lifting.NAME else TELLING)


def hold_told(session: Session, kinds: tuple[Any, ...]) -> None:
    """Declined where a list from outside that grows may be read as well."""
    profiles = session.profiles.values()
    lists = {id(v) for p in profiles for v in p.reading.same.values() if type(v) is list}
    if lists & session.given or (lists and any(has_list(k) or has_listed(k) for k in kinds)):
        raise Declined("a list from outside that grows, and may be read")


def agree_on_told(session: Session, program: Any) -> None:
    """Disagreement where a text would tell something else than the recorded run."""
    if _shown(session.told) != _shown(program.told):
        raise Disagreement("something else that is told")


def _shown(told: list[Any]) -> list[Any]:
    return [(f, [(type(a), repr(a)) for a in args]) for f, args in told]
