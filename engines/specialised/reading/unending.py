"""Unending: loops over `itertools.count`, which somebody leaves.

for i in count(a, b): …         n = a
                                while True: i, n = n, n + b; …
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from .declined import Declined


def without_end(s: ast.For, fresh: Callable[[str], str]) -> tuple[ast.Assign, ast.While]:
    """What stands before the loop, and the loop."""
    assert isinstance(s.iter, ast.Call)
    given = [*s.iter.args, ast.Constant(0), ast.Constant(1)]
    start, step = (given[0], given[1]) if len(s.iter.args) > 1 else (given[0], ast.Constant(1))
    if s.iter.keywords or len(s.iter.args) > 2 or not isinstance(step, ast.Constant):
        raise Declined("a count with other arguments")
    counter = fresh("count")
    here = ast.Assign([s.target], ast.Name(counter, ast.Load()))
    later = ast.AugAssign(ast.Name(counter, ast.Store()), ast.Add(), step)
    made = (
        ast.Assign([ast.Name(counter, ast.Store())], start),
        ast.While(ast.Constant(True), [here, later, *s.body], []),
    )
    for x in made:
        for n in ast.walk(x):
            if not hasattr(n, "lineno"):
                ast.copy_location(n, s)
        ast.fix_missing_locations(ast.copy_location(x, s))
    return made
