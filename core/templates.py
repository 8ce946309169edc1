"""Templates: the text of an elementary rule's cotangent, for programs that rules are written into.

A template says in `{y_bar}`, `{y}`, `{0}`, `{1}` what one argument's cotangent is before broadcasting is
undone, for real floating-point numbers and arrays. It makes programs quicker and means nothing of its
own: it stands beside the partial whose product with the cotangent it is, and `check_rule` holds the two
against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Template(NamedTuple):
    """The text of one cotangent.

    `holds`: what must be true of numbers, such as a divisor, where the text may be used. `numbers`: it
    is for numbers alone. `made`: makes the text from the arguments that are written out in the program, and
    from whether it is for arrays, or gives None.

    Example: >>> Template("{y_bar} / {1}", holds="{1}").text([None, None], False)
             ('{y_bar} / {1}', '{1}')
    """

    written: str = ""
    holds: str = ""
    numbers: bool = False
    made: Callable[[list[Any], bool], str | None] | None = None

    def text(self, literals: list[Any], arrays: bool) -> tuple[str, str] | None:
        """The text and what must hold; None where the partial is to be used."""
        if self.numbers and arrays:
            return None
        text = self.written if self.made is None else self.made(literals, arrays)
        return None if text is None else (text, self.holds)
