"""Lists with a name: one that a function puts into a field first, and fills in a loop after that.

    self.layers = []                        layers = []
                                            self.layers = layers
    for w in ws:                            for w in ws:
        self.layers.append(Layer(w))            layers.append(Layer(w))

A list that a loop fills with objects is known by its name. The field holds the very list as long as nothing
sets it again, so nothing else may be done with the object meanwhile: no method of it is called, and it is
given to nobody.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator, Sequence

from ...source.syntax.trees import place

_INSIDE = (ast.FunctionDef, ast.Lambda, ast.ClassDef)


def with_names(
    body: list[ast.stmt], parameters: Sequence[str], fresh: Callable[[str], str]
) -> tuple[list[ast.stmt], set[str]]:
    """The statements with names for such lists, and these names."""
    names: set[str] = set()
    for i, s in enumerate(body):
        field = _empty_list(s)
        if field is None or owner_of(field) not in parameters or not _is_filled(field, body, i):
            continue
        name = fresh(f"{field.attr}_list")
        names.add(name)
        made = ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load()))
        put = ast.Assign([field], ast.Name(name, ast.Load()))
        rest = [_Naming(field, name).visit(copy.deepcopy(x)) for x in body[i + 1 :]]
        rest, more = with_names(rest, parameters, fresh)
        return [*body[:i], place(made, s), place(put, s), *rest], names | more
    return body, names


def _empty_list(s: ast.stmt) -> ast.Attribute | None:
    """The field of an object that a statement sets to an empty list."""
    match s:
        case ast.Assign([ast.Attribute(ast.Name()) as field], ast.List([])):
            return field
        case ast.AnnAssign(ast.Attribute(ast.Name()) as field, _, ast.List([])):
            return field
    return None


def owner_of(field: ast.Attribute) -> str:
    """The name of the object whose field this is."""
    assert isinstance(field.value, ast.Name)
    return field.value.id


def _is_filled(field: ast.Attribute, body: list[ast.stmt], at: int) -> bool:
    """Whether a loop fills the list, and nothing can set the field again."""
    inside = [n for s in body[at + 1 :] for n in ast.walk(s)]
    loops = [n for n in inside if isinstance(n, ast.For | ast.While)]
    fills = any(_is(field, list_) for loop in loops for list_ in _appended_to(loop))
    return fills and not any(map(_Other(field).is_met, body[at + 1 :]))


def _appended_to(loop: ast.stmt) -> Iterator[ast.expr]:
    for n in ast.walk(loop):
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "append":
            yield n.func.value


def _is(field: ast.Attribute, e: ast.expr) -> bool:
    """Whether an expression is this field of this object."""
    match e:
        case ast.Attribute(ast.Name(id=owner), name):
            return owner == owner_of(field) and name == field.attr
    return False


class _Other:
    """What else is done with an object."""

    def __init__(self, field: ast.Attribute) -> None:
        self.field = field

    def is_met(self, n: ast.AST) -> bool:
        """Whether the field is set, a method is called, or the object is handed on."""
        owner = owner_of(self.field)
        if isinstance(n, _INSIDE):
            return any(isinstance(x, ast.Name) and x.id == owner for x in ast.walk(n))
        match n:
            case ast.Name(id=name):
                return name == owner or name == "super"
            case ast.Call(ast.Attribute(ast.Name(id=name))) if name == owner:
                return True
            case ast.Attribute(ast.Name(id=name)) if name == owner:
                return not isinstance(n.ctx, ast.Load) and _is(self.field, n)
        return any(map(self.is_met, ast.iter_child_nodes(n)))


class _Naming(ast.NodeTransformer):
    def __init__(self, field: ast.Attribute, name: str) -> None:
        self.field, self.name = field, name

    def visit_Attribute(self, e: ast.Attribute) -> ast.expr:
        if _is(self.field, e):
            return ast.copy_location(ast.Name(self.name, ast.Load()), e)
        self.generic_visit(e)
        return e
