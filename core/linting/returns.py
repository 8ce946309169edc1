"""What rules return, read from their source: pairs, and a pullback with one entry for each data parameter.

Only what the text shows is judged: a tuple written out, a nested function or lambda that is returned
by name. A pullback made elsewhere, or a tuple that is computed, is left to the contract at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..callables import name_of
from ..registry import Method, Rules
from .finding import Finding
from .source import tree_of

Made = ast.FunctionDef | ast.Lambda


def returns(rules: Rules, method: Method) -> Iterator[Finding]:
    """A rule that returns no pair, or whose pullback has the wrong number of arguments or entries."""
    tree = tree_of(method.rule)
    if tree is None:
        return
    name = name_of(rules.f)
    count = 3 if method.mode == "forward" and method.mutates else 2
    named = "(value, pullback)" if method.mode == "reverse" else "(value, tangent)"
    for value in _returned(tree):
        size = _size(value)
        if size is not None and size != count:
            yield Finding(
                "arity", method, name, f"line {_line(method, value)} returns {size} values, not {count}",
                f"a {method.mode} rule returns {named}", f"return {named}",
            )  # fmt: skip
        elif method.mode == "reverse" and isinstance(value, ast.Tuple) and size == 2:
            made = _made(tree, value.elts[1])
            if made is not None:
                yield from _pullback(name, method, made)


def _pullback(name: str, method: Method, made: Made) -> Iterator[Finding]:
    """What a pullback written inside the rule takes and returns."""
    title = made.name if isinstance(made, ast.FunctionDef) else "its pullback"
    takes = 2 if method.mutates else 1
    spec = made.args
    most = None if spec.vararg else len(spec.posonlyargs) + len(spec.args)
    if most is not None and not most - len(spec.defaults) <= takes <= most:
        yield Finding(
            "arity", method, name, f"{title} takes {most} arguments",
            f"it is called with {'the seed and the states' if takes == 2 else 'the seed alone'}",
            f"give it {takes} parameter{'s' * (takes > 1)}",
        )  # fmt: skip
    signature = method.signature
    if signature.variadic is not None:
        return
    least, count = signature.required, len(signature.types)
    for value in [made.body] if isinstance(made, ast.Lambda) else _returned(made):
        size = _size(value)
        bare = size is None and isinstance(value, ast.Constant) and value.value is None
        if bare or (size is not None and not least <= size <= count):
            entries = "None" if bare else f"{size} cotangent{'s' * (size != 1)}"
            yield Finding(
                "arity", method, name,
                f"{title}, line {_line(method, value)}, returns {entries} for {count} data parameters",
                "the contract wants a cotangent for each data parameter, in order",
                "return one entry for each: Zero() where it is zero, NoTangent() for an index or flag",
            )  # fmt: skip


def _returned(function: ast.FunctionDef) -> Iterator[ast.expr]:
    """The expressions that a function returns, those of functions inside it left out."""
    left: list[ast.AST] = list(function.body)
    while left:
        node = left.pop(0)
        if isinstance(node, ast.Return):
            yield node.value or ast.copy_location(ast.Constant(None), node)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            left[:0] = ast.iter_child_nodes(node)


def _size(value: ast.expr) -> int | None:
    """How many entries a tuple that is written out has."""
    if isinstance(value, ast.Tuple) and not any(isinstance(e, ast.Starred) for e in value.elts):
        return len(value.elts)
    return None


def _made(tree: ast.FunctionDef, value: ast.expr) -> Made | None:
    """The one function inside the rule that an expression is or names."""
    if isinstance(value, ast.Lambda):
        return value
    if not isinstance(value, ast.Name):
        return None
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == value.id]
    return found[0] if len(found) == 1 else None


def _line(method: Method, node: ast.expr) -> int:
    """The line of the file that a node of the rule's own text stands on."""
    code = getattr(method.rule, "__code__", None)
    return node.lineno + (0 if code is None else code.co_firstlineno - 1)
