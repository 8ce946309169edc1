"""Python's grammar, node by node: each statement, expression, pattern and operator is right or refused.

A row says of one class of `ast` what becomes of a program in which it stands where a derivative passes. A
class that has none fails the last test, in every Python that the suite runs on.
"""

import ast
import importlib.util
import inspect
import sys
import textwrap
import typing

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr
from chainrules.testing import check_grads

X = np.array([1.3, 0.7, -0.4])
RIGHT: dict[str, typing.Any] = {}
REFUSED: dict[str, typing.Any] = {}


def right(*names):
    """Each of these nodes stands in the program, which agrees with differences."""

    def add(f):
        for name in names:
            assert name not in RIGHT
            RIGHT[name] = f
        return f

    return add


def refused(*names, match):
    """Each of these nodes stands in the program, which is refused in these words."""

    def add(f):
        for name in names:
            REFUSED[name] = f, match
        return f

    return add


@right("Return", "Expr", "Pass", "Assign", "Name", "Constant", "Attribute", "Call", "Load", "Store")
def plain(x):
    """A docstring."""
    pass
    y = np.sin(x).T * 2.0
    return np.sum(y * x)


@right("AnnAssign", "AugAssign", "Add", "Sub", "Mult", "Div", "Pow", "BinOp")
def assigned(x):
    y: float = x[0] * x[1] - x[2] / x[0]
    y += x[2] ** 3
    y *= x[0] + 1.0
    return y


@right("MatMult", "FloorDiv", "Mod", "UnaryOp", "USub", "UAdd")
def operators(x):
    return (x @ x) * (-x[0]) + (+x[1]) * (x[0] % 0.5) + (x[0] // 0.5) * x[2]


@right("LShift", "RShift", "BitOr", "BitXor", "BitAnd", "Invert", "Not")
def integers(x):
    n = (1 << 3 >> 2) | 4 ^ 1 & 3
    return x[~n % 3] * x[n % 3] if not n < 0 else x[0]


@right("If", "Compare", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot", "In", "NotIn")
def compared(x):
    s = x[0]
    if x[0] > x[1] >= x[2] and x[2] < 1.0 and x[2] <= 1.0 and x[0] == x[0] and x[0] != x[1]:
        s = s * x[1]
    if s is not None and 1 in (1, 2) and 3 not in (1, 2) and not (s is None):  # noqa: E714  both are asked
        s = s * x[2]
    return s


@right("BoolOp", "And", "Or", "IfExp")
def chosen(x):
    return (x[0] and x[1]) * (0.0 or x[2]) + (x[0] if x[1] > 0 else x[2])


@right("For", "While", "Break", "Continue", "Starred")
def looped(x):
    s, *rest = x
    for i, v in enumerate(rest):
        if i == 5:
            continue
        s = s * v
    else:
        s = s + x[0]
    while True:
        s = s * 0.5
        if s < 1.0:
            break
    return s * sum([*rest])


@right("FunctionDef", "Lambda", "Nonlocal", "arguments", "arg", "keyword")
def functions(x):
    n = x[0]

    def times(y, *more, k=1.0, **others):
        nonlocal n
        n = n * y * k
        return n

    times(x[1], k=x[2])
    return (lambda a, b=x[0]: a * b)(n)


@right("List", "Tuple", "Dict", "Subscript", "Slice", "Delete", "Del")
def containers(x):
    several, d = [x[0], (x[1], x[2])], {"a": x[0], **{"b": x[1]}}
    y = x[1:] * 2.0
    d["a"] = d["a"] * d["b"]
    del d["b"], several[0]
    return several[0][0] * d["a"] * y[0]


@right("ListComp", "DictComp", "GeneratorExp", "comprehension")
def comprehensions(x):
    d = {i: v * v for i, v in enumerate(x) if i < 2}
    return sum([v * d[0] for v in x]) * sum(v for v in d.values())


@right("With", "withitem", "Try", "Raise", "ExceptHandler", "Assert")
def guarded(x):
    s = x[0]
    with np.errstate(all="ignore") as _:
        s = s * x[1]
    try:
        assert s > 0
        raise ValueError("a message")
    except ValueError:
        s = s * x[2]
    finally:
        s = s * 2.0
    return s


@right("TryStar")
def guarded_in_groups(x):
    s = x[0]
    try:
        raise ExceptionGroup("several", [ValueError()])
    except* ValueError:
        s = s * x[1]
    return s


@right(
    *("Match", "match_case", "MatchValue", "MatchSingleton", "MatchSequence", "MatchMapping"),
    *("MatchClass", "MatchStar", "MatchAs", "MatchOr"),
)
def matched(x):
    def of(p):
        match p:
            case None:
                return 1.0
            case 3 | 4:
                return x[2]
            case {"k": v, **rest}:
                return v * len(rest)
            case [a, *others]:
                return a * sum(others)
            case float() as z:
                return z * z

    return of(None) * of(3) + of({"k": x[0], "j": 1.0}) * of([x[0], x[1], x[2]]) + of(x[1])


@right("NamedExpr")
def named(x):
    return (a := x[0] * x[1]) + a * (a := a * x[2]) + a


@right("Yield", "YieldFrom")
def generated(x):
    def some(v):
        yield v * v

    def all_of_them(v):
        yield v[0]
        yield from some(v[1])

    return sum(all_of_them(x))


@right("JoinedStr", "FormattedValue", "Import", "ImportFrom", "alias")
def told(x):
    import math
    from operator import mul

    name = f"{'a'}{1:02d}"
    return mul(x[0], math.sin(x[1])) * len(name)


@refused("Set", match="a set of differentiated values is not differentiated")
def a_set(x):
    return sum({x[0], x[1] * x[2]})


@refused("SetComp", match="a set comprehension over differentiated values is not differentiated")
def a_set_of_all(x):
    return sum({v * v for v in x})


@refused("ClassDef", match="a `classdef` statement around a differentiated computation")
def a_class(x):
    class Scaled:
        by = x[0]

    return Scaled.by * x[1]


_TOTAL = 0.0


@refused("Global", match="a `global` statement around a differentiated computation")
def a_global(x):
    global _TOTAL
    _TOTAL = x[0] * x[1]
    return _TOTAL * x[2]


@refused(
    "AsyncFunctionDef",
    "Await",
    "AsyncFor",
    "AsyncWith",
    match="the coroutine a_coroutine is not differentiated",
)
async def a_coroutine(x):
    async with x as y:
        async for v in y:
            await v
    return x[0]


NEWER = {
    "TypeAlias": "def f(x):\n    type Number = float\n    y: Number = x[0] * x[1]\n    return y\n",
    "TypeVar": "def f(x):\n    def same[T](v: T) -> T:\n        return v\n    return same(x[0]) * x[1]\n",
    "ParamSpec": "def f(x):\n    def same[**P](v):\n        return v\n    return same(x[0]) * x[1]\n",
    "TypeVarTuple": "def f(x):\n    def same[*Ts](v):\n        return v\n    return same(x[0]) * x[1]\n",
    "TemplateStr": "def f(x):\n    name = t'{1}'\n    return x[0] * x[1] * len(name.values)\n",
    "Interpolation": "def f(x):\n    name = t'{1}'\n    return x[0] * x[1] * len(name.values)\n",
}
"""What some supported Pythons do not have: right, or refused by one of the library's errors."""


@pytest.mark.parametrize("name", RIGHT)
def test_a_program_with_this_node_agrees_with_differences(name):
    f = RIGHT[name]
    assert_stands_in(name, f)
    check_grads(f, X, order=1)


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_with_this_node_is_right_or_refused(name):
    f, _ = REFUSED[name]
    assert_stands_in(name, f)
    if name.startswith(("Async", "Await")):
        for run in (lambda: cr.grad(f)(X), lambda: cr.jvp(f, (X,), (X,))):
            with pytest.raises(cr.UnsupportedSyntaxError, match="coroutine"):
                run()
        return
    for run in (lambda: rightly.grad(f)(X), lambda: rightly.jvp(f, (X,), (X,))):
        rightly.or_refused(run)


@pytest.mark.parametrize("name", NEWER)
def test_newer_nodes_are_right_or_refused(name, tmp_path):
    if not hasattr(ast, name):
        pytest.skip(f"Python {sys.version_info[0]}.{sys.version_info[1]} has no {name}")
    path = tmp_path / f"with_{name}.py"
    path.write_text(NEWER[name], encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        gradient = cr.grad(module.f)(X)
    except cr.ChainRulesError:
        return
    assert np.allclose(gradient, [X[1], X[0], 0.0])


def assert_stands_in(name, f):
    tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    assert any(type(n).__name__ == name for n in ast.walk(tree))


def test_each_node_of_this_python_has_a_row():
    kinds: tuple[typing.Any, ...] = (
        ast.stmt,
        ast.expr,
        ast.pattern,
        ast.operator,
        ast.unaryop,
        ast.cmpop,
        ast.boolop,
    )
    kinds += (ast.expr_context, ast.excepthandler, *filter(None, [getattr(ast, "type_param", None)]))
    nodes = {
        C.__name__ for kind in kinds for C in kind.__subclasses__() if C.__module__ == "ast" or C._fields
    }
    old = {"AugLoad", "AugStore", "Param"}  # of Python 2
    assert nodes - old - {*RIGHT, *REFUSED, *NEWER} == set()
