"""Otherwise: the `else` of a loop, as a branch behind it.

for v in xs:                left = False
    if v > 1:               for v in xs:
        break                   if v > 1:
else:                               left = True
    v = 0                           break
                            if not left:
                                v = 0
"""

from __future__ import annotations

import ast


def with_branch(loop: ast.For | ast.While, left: str) -> list[ast.stmt]:
    """The statements for a loop with an `else`; `left` is the variable that tells whether it was left."""
    found = _Breaks(left)
    loop.body = found.block(loop.body)
    behind, loop.orelse = loop.orelse, []
    if not found.count:
        return [loop, *behind]
    none = ast.UnaryOp(ast.Not(), ast.Name(left, ast.Load()))
    made: list[ast.stmt] = [_set(left, False), loop, ast.If(none, behind, [])]
    for s in (made[0], made[2]):
        _at(s, loop)
    return made


class _Breaks:
    """Notes in a variable where a loop is left."""

    def __init__(self, left: str) -> None:
        self.left = left
        self.count = 0

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a block."""
        made: list[ast.stmt] = []
        for s in statements:
            if isinstance(s, ast.Break):
                self.count += 1
                made.append(_at(_set(self.left, True), s))
            for name in ("body", "orelse", "finalbody"):
                inside = getattr(s, name, None)
                if isinstance(inside, list) and not (name == "body" and isinstance(s, ast.For | ast.While)):
                    setattr(s, name, self.block(inside))
            for case in getattr(s, "cases", ()):
                case.body = self.block(case.body)
            made.append(s)
        return made


def _set(name: str, value: bool) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], ast.Constant(value))


def _at(made: ast.stmt, origin: ast.stmt) -> ast.stmt:
    """What was made, where the origin stands; what it holds already keeps its place."""
    for n in ast.walk(made):
        if "lineno" in n._attributes and not hasattr(n, "lineno"):
            ast.copy_location(n, origin)
    return made
