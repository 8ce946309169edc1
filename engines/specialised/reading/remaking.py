"""Remaking: objects that a function is given, as if it had made them itself, where it sets their fields.

    def loss(net, x):                                 net1 = Net with w = net.w, z = net.z
        net.z = x * net.w                             net1.z = x * net1.w
        return np.sum(net.z)                          …
                                                      net.z = what net1.z is in the end

So their fields are variables (fields.py). What they are in the end is set in the objects themselves once
nothing can go wrong any more.
"""

from __future__ import annotations

from typing import Any

from .composed import Keyed, Made
from .declined import Declined
from .kinds import has_object, is_tuple
from .objects import is_plain_class
from .resolving import Makers
from .steps import SETS, Step, plain, walk


class Remade(Makers):
    """The steps of one text with such objects made anew at its beginning, and the paths of all in them."""

    def __init__(self, *given: Any) -> None:
        """`given`: as for the makers of a text."""
        super().__init__(*given)
        self.paths: list[str] = []
        self.made: list[Step] = []
        if any(self._root(s.args[0]) is not None for s in walk(self.steps) if s.op in SETS):
            self._remake(self.steps)

    def _root(self, name: str) -> str | None:
        """What is given, of which an object is, or is a part of; None for one that the function makes."""
        k = self.given(name)
        if k is not None:
            return name if has_object(k) else None
        makers = self.makers.get(name, [])
        s = makers[0] if len(makers) == 1 else None
        reads = s is not None and s.op in ("copy", "attr", "get", "iter") and not s.names
        return self._root(s.args[0]) if s is not None and reads else None

    def _remake(self, steps: list[Step]) -> None:
        every = dict.fromkeys(a for s in walk(steps) for a in s.args)
        roots = [a for a in every if self.given(a) is not None and has_object(self.given(a))]
        if any(r in self.makers for r in roots):
            raise Declined("an argument that is changed, under a name that is given to something else")
        names = {r: self._anew(r, self.given(r), plain(r)) for r in roots}
        for s in walk(steps):
            s.args = tuple(names.get(a, a) for a in s.args)
            if isinstance(s.facts.get("of"), str):
                s.facts["of"] = names.get(s.facts["of"], s.facts["of"])
        self.steps = [*self.made, *steps]

    def _anew(self, name: str, k: Any, path: str) -> str:
        """The name of what is made anew."""
        if type(k) is not Keyed and not (is_tuple(k) and has_object(k)):
            return name
        by_name = isinstance(k, Made)
        if by_name and not is_plain_class(k.made):
            if any(map(_holds_objects, k[1:])):
                raise Declined("objects that change, and one that a partial or a named tuple holds")
            return name
        parts = []
        keys = k.keys if isinstance(k, Keyed) else range(len(k) - 1)
        for key, item in zip(keys, k[1:], strict=True):
            part = Step("attr" if by_name else "get", self.fresh("given"), (name,))
            part.text = str(key) if by_name else repr(key)
            self._add(part)
            parts.append(self._anew(part.target, item, path + (f".{key}" if by_name else f"[{key!r}]")))
        made = Step("tuple", self.fresh("remade"), tuple(parts))
        if isinstance(k, Keyed):
            made.facts.update(keys=k.keys, path=path)
            self.paths.append(path)
        if by_name:
            made.facts["made"] = k.made
        self._add(made)
        return made.target

    def _add(self, s: Step) -> None:
        s.number = self.number()
        self.made.append(s)


def _holds_objects(k: Any) -> bool:
    """Whether this is an object of a plain class, or has one in it."""
    plain_object = isinstance(k, Made) and is_plain_class(k.made)
    return plain_object or (is_tuple(k) and any(map(_holds_objects, k[1:])))
