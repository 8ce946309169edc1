"""Rotations and rigid transforms that are changed in place, by which nothing is differentiated."""

from __future__ import annotations

from typing import Any

from scipy.spatial.transform import RigidTransform, Rotation

from ....core import NotDifferentiableError, frule, rrule


def refuse(P: Any) -> None:
    """Refuse the derivative of a store into objects of a class."""

    def refused() -> Any:
        raise NotDifferentiableError(
            f"scipy.spatial.transform.{P.__name__}.__setitem__ changes an object in place",
            closest=f"{P.__name__}.concatenate, which has a derivative",
            next="put the parts into a list, and concatenate them",
        )

    def setitem_frule(tangents, self, value, *, indexer):
        """Refused by name"""
        refused()

    def setitem_rrule(self, value, *, indexer):
        """Refused by name"""
        refused()

    for rule in (setitem_frule, setitem_rrule):
        rule.__annotations__.update(self=P, value=P)
    frule(P.__setitem__)(setitem_frule)
    rrule(P.__setitem__)(setitem_rrule)


refuse(Rotation)
refuse(RigidTransform)
