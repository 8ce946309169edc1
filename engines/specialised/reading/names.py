"""Names: those that a text has, and new ones beside them."""

from __future__ import annotations

from collections.abc import Iterable


class Names(set[str]):
    """Names that are taken."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        super().__init__(taken)
        self.next: dict[str, int] = {}  # the number to try next, by stem

    def fresh(self, stem: str) -> str:
        """A name that nothing has, which is taken from now on."""
        n = self.next.get(stem, 1)
        while f"{stem}{n}_" in self:
            n += 1
        self.next[stem] = n + 1
        self.add(name := f"{stem}{n}_")
        return name
