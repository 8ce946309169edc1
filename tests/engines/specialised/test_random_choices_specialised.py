"""Random programs that decide by numbers, names, flags and shapes: each call decides for itself.

One program is called with other arguments of the same kinds, in any order: the specialised program and the
ordinary one give the same numbers, and raise the same.
"""

import random
from typing import Any

import numpy as np
import pytest
from tests.engines.fuzzing import function_of

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.shown import text_of

HELPERS = """
OPTIONS = {"a": 2.0, "b": 3.0, "w1": 0.5}
WEIGHTS = (0.5, 1.5, 2.5, 3.5)


def pick(x, n, s="a", *, top=3):
    if s in ("a", "w1") and n < top:
        return x[n]
    return x[-1] * n


def chosen(flag, a, b):
    return a if flag else b


def first(x, limit):
    for i, v in enumerate(x):
        if v > limit or i in (2, limit):
            return v * i
    return x[0]
"""
SIMPLE = (
    *("n in (1, 2)", "n not in [0, 3]", 's == "a"', 's != "b"', "s in OPTIONS", 's not in ("a", "z")'),
    *(
        '(n, s) == (1, "a")',
        "(n, 1) < (2, 0)",
        "(s, n) != pair",
        "flag",
        "not flag",
        "len(x) > n + 2",
        "n % 2",
    ),
    *("x.shape == (4,)", "x.shape[0] % 2 == n % 2", "k is None", "k is not None and k > 1", "x[0] > 0.5"),
    *("np.any(x > 1.0)", "isinstance(n, int)", "n == len(s)", "bool(n)", 's[0] == "a"', 'f"w{n}" in OPTIONS'),
    *("min(n, 2) == 1", "(x > 0).all()", "(n if flag else 2) == 2", "x.ndim == n", "1 <= n < 3", "n is None"),
    *("x[n] > x[0]", "len(pair) == n", "pair[0] == n", "s < 'b'", "flag == (n > 1)", "n in WEIGHTS", "y > n"),
    *('f"{s}{n}" == "a1"', "x.size == 4 or n", "max(n, 1) - 1", "abs(n - 2) < 1", "type(n) is int"),
)
VALUES = (
    *("OPTIONS.get(s, 1.5)", "OPTIONS[s]", "x[n]", "np.sum(x[:n])", "np.sum(x[n:])", "WEIGHTS[n]", "x.size"),
    *(
        "(x[0], x[1], y)[n % 3]",
        "[y, x[1], 2.0, x[0]][n]",
        "pick(x, n, s)",
        "pick(x, n, s=s, top=n)",
        "len(s)",
    ),
    *("chosen(flag, y, x[1])", "chosen(n in (0, 1), x[2], y)", "first(x, n)", "n", "y ** n", "k or 1.0"),
    *("sum([x[i] for i in range(len(x)) if i in (0, n)])", "{'a': y, 'b': x[1], 'z': 0.5}[s]", "pair[1]"),
    *(
        "float(n)",
        "x[-n]",
        "np.sum(x.reshape(-1, 2)[0])",
        "max(y, n)",
        "x[::n + 1][-1]",
        "np.prod(x[:n + 1])",
    ),
    *("np.sum(np.where(x > n, x, 0.0))", "np.linspace(0.0, 1.0, n + 2)[-2] * y", "np.zeros(n + 1)[0] + y"),
)


class Choices:
    """Draws a program as text."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.lines = ["def program(x, n, s, flag, k):", "    y = x[0] * x[1]", "    pair = (s, 1.5)"]
        for _ in range(self.r.randint(2, 6)):
            self.statement(1, 2)
        self.lines.append("    return y * x[2]")

    def condition(self) -> str:
        a = self.r.choice(SIMPLE)
        match self.r.randint(0, 5):
            case 0:
                return f"({a}) and ({self.r.choice(SIMPLE)})"
            case 1:
                return f"not ({a})"
            case 2:
                return f"({a}) or ({self.r.choice(SIMPLE)})"
        return a

    def value(self) -> str:
        a = self.r.choice(VALUES)
        match self.r.randint(0, 5):
            case 0:
                return f"({a} if {self.condition()} else {self.r.choice(VALUES)})"
            case 1:
                return f"{a} * (1.0 + bool({self.condition()}))"
        return a

    def statement(self, depth: int, left: int) -> None:
        put = lambda text: self.lines.append("    " * depth + text)  # noqa: E731
        kind = self.r.randint(0, 9)
        if kind < 4 or not left:
            put(f"y = y {self.r.choice('+*-')} {self.value()} * 0.5")
        elif kind < 7:
            put(f"if {self.condition()}:")
            self.statement(depth + 1, left - 1)
            if self.r.random() < 0.3:
                put(f"elif {self.condition()}:")
                self.statement(depth + 1, left - 1)
            if self.r.random() < 0.5:
                put("else:")
                self.statement(depth + 1, left - 1)
        elif kind == 7:
            put(f"for i in range({self.r.choice(('n', '2', 'len(x)', 'n + 1', 'len(s)'))}):")
            self.statement(depth + 1, left - 1)
            if self.r.random() < 0.4:
                put(f"    if {self.condition()}:")
                put(f"        {self.r.choice(('break', 'continue'))}")
            put("    y = y + x[i] * i")
        elif kind == 8:
            put(f"if {self.condition()}:")
            put(f"    return y + {self.value()}")
        else:
            put(f"pair = ({self.r.choice(('s', 'n', 'len(x)'))}, {self.value()})")


def answer(f: Any, given: tuple[Any, ...]) -> Any:
    try:
        return cr.value_and_grad(f)(*given)
    except (LookupError, TypeError, ValueError, ArithmeticError) as raised:
        return type(raised).__name__


def hold_choices(seed: int) -> bool:
    """Whether the program of this number has a specialised text, which was held against the ordinary one."""
    text = HELPERS + "\n\n" + "\n".join(Choices(seed).lines) + "\n"
    r = random.Random(seed + 1)
    vectors = [np.round(np.random.default_rng(seed + i).uniform(0.2, 1.6, 4), 3) for i in range(4)]
    calls = [
        (r.choice(vectors), r.randint(0, 3), r.choice("abz"), r.random() < 0.5, r.choice((None, 2.0, 0.7)))
        for _ in range(8)
    ]
    f = function_of(text, {"np": np})
    g = function_of(text, {"np": np})
    with np.errstate(all="ignore"), specialised_after(1):
        Settings.on = False
        expected = [answer(g, given) for given in calls]
        Settings.on = True
        for _ in range(2):
            for given, theirs in zip(calls, expected, strict=True):
                mine = answer(f, given)
                if isinstance(theirs, str) or isinstance(mine, str):
                    assert mine == theirs, (given, mine, theirs, text)
                else:
                    for a, b in zip(mine, theirs, strict=True):
                        np.testing.assert_allclose(a, b, 1e-9, 1e-9, err_msg=f"{given}\n{text}")
        return bool(text_of(f))


@pytest.mark.parametrize("start", range(0, 80, 20))
def test_each_call_decides_for_itself(start: int) -> None:
    assert sum(hold_choices(start + i) for i in range(20)) > 4
