"""Random programs of the statements that the source engine takes, as text and as functions.

A program is a function of two numbers over a few variables, with every kind of control flow. What
it computes is smooth and small; where a branch depends on a number, differences may cross it.
"""

import itertools
import linecache
import math
from types import FunctionType
from typing import Any

import numpy as np
from hypothesis import strategies as st

NAMES = ["x", "y", "a", "b", "result"]
CONSTANTS = ["0.5", "2.0", "-1.5", "3", "1"]
_numbers = itertools.count()


@st.composite
def expressions(draw, depth=2):
    """An expression over the variables."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(NAMES * 2 + CONSTANTS))
    e = expressions(depth - 1)
    kind = draw(st.sampled_from(FORMS))
    return kind.format(*(draw(e) for _ in range(kind.count("{}"))), name=draw(st.sampled_from(NAMES)))


FORMS = [
    *("({} + {})", "({} - {})", "({} * {})", "({} / (1.5 + np.cos({})))", "-{}", "{}"),
    *("np.sin({})", "math.tanh({})", "half({})", "half(v={}, k=2.0)", "twice(half, {})", "np.tanh({} * {})"),
    *("({} if {} > 0.3 else {})", "({} and {})", "({} or {})", "({} > 0.0) * {}", "float({} < {})"),
    *("({}, {})[1]", "[{}, {}, {}][-1]", "{{'k': {}, 'l': {}}}['k']", "sum([{}, {}])"),
    *("total(*({}, {}), k={})", "(lambda v: v * {name} + {})({})", "np.array([{}, {}]).sum()"),
    *("Pair({}, second={}).second", "Pair({}, {}).swapped.first"),
]


@st.composite
def blocks(draw, depth, in_loop=False):
    """A list of lines, indented from zero."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statements(depth, in_loop))
    return lines


@st.composite
def statements(draw, depth, in_loop):
    """One statement as lines."""
    name, other = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    e = expressions()
    simple = [
        lambda: [f"{name} = {draw(e)}"],
        lambda: [f"{name}, {other} = {draw(e)}, {draw(e)}"],
        lambda: [f"{name} = {other} = {draw(e)}"],
        lambda: [f"{name} {draw(st.sampled_from(['+=', '-=', '*=']))} {draw(e)}"],
        lambda: [f"{name}, *{other} = ({draw(e)}, {draw(e)}, {draw(e)})", f"{other} = {other}[0]"],
        lambda: [f"({name}, _), {other} = ({draw(e)}, {draw(e)}), {draw(e)}"],
        lambda: [f"local = lambda v: v * {other} - {name}", f"{name} = local({draw(e)})"],
        lambda: [f"del {name}", f"{name} = {draw(e)}"],
        lambda: [f"{name} = {draw(st.sampled_from(CONSTANTS))}"],
        lambda: [f"return {draw(e)}"] if draw(st.integers(0, 4)) == 0 else ["pass"],
        lambda: [draw(st.sampled_from(["break", "continue"]))] if in_loop else ["pass"],
    ]
    if depth == 0:
        return draw(st.sampled_from(simple))()

    def body(loop=in_loop):
        return [f"    {line}" for line in draw(blocks(depth - 1, loop))]

    def otherwise():
        return ["else:", *body()] if draw(st.booleans()) else []

    i = f"i{depth}"
    compound = [
        lambda: [f"if {draw(e)} > {draw(st.sampled_from(CONSTANTS))}:", *body(), *otherwise()],
        lambda: [f"if 0 <= {draw(e)} < 1:", *body(), f"elif {draw(e)} > 0:", *body(), *otherwise()],
        lambda: [f"for {i} in range({draw(st.integers(0, 3))}):", *body(True), *otherwise()],
        lambda: [f"for {name} in ({draw(e)}, {draw(e)}):", *body(True), *otherwise()],
        lambda: [f"for {i}, {name} in enumerate([{draw(e)}, 2.0, {draw(e)}]):", *body(True), *otherwise()],
        lambda: [f"{i} = 0", f"while {i} < 3:", f"    {i} += 1", *body(True), *otherwise()],
        lambda: ["with np.errstate(all='ignore'):", *body()],
        lambda: ["def inner(v, k=2):", f"    return v * {other} + k * {name}", f"{name} = inner({draw(e)})"],
        lambda: [f"def inner({name}):", *body(False), f"    return {name}", f"{name} = inner({draw(e)})"],
    ]  # fmt: skip
    return draw(st.sampled_from([*simple[:6], *compound]))()


PRELUDE = """
from typing import NamedTuple

class Pair(NamedTuple):
    first: float
    second: float

    @property
    def swapped(self):
        return Pair(self.second, self.first)

def half(v, *, k=0.5):
    return v * k

def twice(f, v):
    return f(f(v))

def total(*values, k=1.0, **more):
    s = k
    for i, v in enumerate(values):
        s = s + v * i
    return s

def program(x, y):
    a, b, result = x * y, 1.0, y
"""


@st.composite
def programs(draw):
    """The text of a module that defines `program(x, y)`."""
    lines = draw(blocks(2))
    return (
        PRELUDE
        + "".join(f"    {line}\n" for line in lines)
        + f"    return {draw(expressions())} + result * x + a + b\n"
    )


def function_of(text: str) -> FunctionType:
    """The program that a text defines, its source to be found as if it stood in a file."""
    filename = f"<random program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {"np": np, "math": math, "__name__": "random_programs"}
    exec(compile(text, filename, "exec"), namespace)
    program: FunctionType = namespace["program"]
    return program
