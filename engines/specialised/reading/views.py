"""Views: loops over the entries of a dictionary, as loops over its keys, by which each is read in its turn.

for k, v in d.items(): …        n = len(d)
                                for k in d.keys(): v = d[k]; …
                                assert len(d) == n

An entry that the loop sets is what it is when its turn comes. Where the loop changes how many there are,
Python raises: then the ordinary program runs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable


def is_view(e: ast.expr) -> bool:
    """Whether this is `d.items()` or `d.values()`."""
    match e:
        case ast.Call(ast.Attribute(ast.Name() | ast.Attribute(), "items" | "values"), [], []):
            return True
    return False


def over_keys(s: ast.For, fresh: Callable[[str], str]) -> tuple[ast.Assign, ast.For, ast.Assert] | None:
    """What stands before, the loop, and what stands behind it; None where it is over something else."""
    if not is_view(s.iter):
        return None
    owner, name = s.iter.func.value, s.iter.func.attr  # type: ignore[attr-defined]  # a view's
    size, key = fresh("size"), fresh("key")
    entry: ast.expr = ast.Subscript(owner, _load(key), ast.Load())
    if name == "items":
        entry = ast.Tuple([_load(key), entry], ast.Load())
    keys = ast.Call(ast.Attribute(owner, "keys", ast.Load()), [], [])
    count = ast.Call(_load("len"), [owner], [])
    loop = ast.For(ast.Name(key, ast.Store()), keys, [ast.Assign([s.target], entry), *s.body], s.orelse)
    made = (
        ast.Assign([ast.Name(size, ast.Store())], count),
        loop,
        ast.Assert(ast.Compare(count, [ast.Eq()], [_load(size)])),
    )
    for x in made:
        ast.fix_missing_locations(ast.copy_location(x, s))
    return made


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())
