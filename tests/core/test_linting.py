"""The linter: each kind of mistake is found, and says what, where, why and what to do."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import warnings
from types import ModuleType
from typing import Any

import pytest

from chainrules.core import caches, registry
from chainrules.core.debug import debug_mode
from chainrules.core.linting import RuleLintWarning, lint
from chainrules.core.table import table

HEAD = (
    "import numpy as np\nimport chainrules as cr\ndef f(x, y=1.0): return x * y\ndef pair(x): return x, x\n"
)

FINDINGS = [
    (
        "arity",
        "returns 1 cotangent for 2 data parameters",
        """
        @cr.rrule(f)
        def f_rrule(x: float, y: float):
            def f_pullback(y_bar):
                return (y_bar * y,)
            return x * y, f_pullback
        """,
    ),
    (
        "arity",
        "returns 3 cotangents",
        """
        @cr.rrule(f)
        def f_rrule(x: float, y: float):
            return x * y, lambda y_bar: (None, y_bar, y_bar)
        """,
    ),
    (
        "arity",
        "returns None",
        """
        @cr.rrule(f)
        def f_rrule(x: float, y: float):
            def f_pullback(y_bar):
                if y_bar:
                    return y_bar, y_bar
                return None
            return x * y, f_pullback
        """,
    ),
    (
        "arity",
        "takes 2 arguments",
        """
        @cr.rrule(f)
        def f_rrule(x: float, y: float):
            def f_pullback(y_bar, x):
                return y_bar * y, y_bar * x
            return x * y, f_pullback
        """,
    ),
    (
        "arity",
        "returns 3 values, not 2",
        """
        @cr.frule(f)
        def f_frule(tangents, x: float, y: float):
            return x * y, tangents[0], tangents[1]
        """,
    ),
    (
        "lone",
        "there is no forward rule for (float, float)",
        """
        @cr.rrule(f)
        def f_rrule(x: float, y: float):
            return x * y, lambda y_bar: (y_bar * y, y_bar * x)
        """,
    ),
    (
        "lone",
        "there is no reverse rule for (complex)",
        """
        @cr.frule(pair)
        def pair_frule(tangents, x: float | complex):
            return pair(x), cr.Composite[tuple](tangents[0], tangents[0])
        @cr.rrule(pair)
        def pair_rrule(x: float):
            return pair(x), lambda y_bar: (y_bar[0] + y_bar[1],)
        """,
    ),
    (
        "lone",
        "is declared reverse_only and has forward rules",
        """
        cr.scalar_rule(pair, 1.0)
        cr.reverse_only(pair, why="for the test")
        """,
    ),
    (
        "ambiguous",
        "fit (float, float) equally well",
        """
        cr.reverse_only(f, why="for the test")
        @cr.rrule(f)
        def left_rrule(x: float, y: object):
            return x, lambda y_bar: (y_bar, y_bar)
        @cr.rrule(f)
        def right_rrule(x: object, y: float):
            return x, lambda y_bar: (y_bar, y_bar)
        """,
    ),
    (
        "ambiguous",
        "fit (float64) equally well",
        """
        cr.reverse_only(pair, why="for the test")
        @cr.rrule(pair)
        def python_rrule(x: float):
            return x, lambda y_bar: (y_bar,)
        @cr.rrule(pair)
        def numpy_rrule(x: np.floating):
            return x, lambda y_bar: (y_bar,)
        """,
    ),
    (
        "unreachable",
        "other rules or opt-outs answer for all its types",
        """
        cr.reverse_only(pair, why="for the test")
        @cr.rrule(pair)
        def both_rrule(x: float | int):
            return x, lambda y_bar: (y_bar,)
        @cr.rrule(pair)
        def float_rrule(x: float):
            return x, lambda y_bar: (y_bar,)
        cr.opt_out(pair, int)
        """,
    ),
    (
        "piracy",
        "registers it for a function and types of builtins, email",
        """
        from email.utils import quote
        cr.reverse_only(quote, why="for the test")
        @cr.rrule(quote)
        def quote_rrule(str: float):
            return str, lambda y_bar: (y_bar,)
        """,
    ),
    (
        "catch-all",
        "none of its data parameters has a type",
        """
        from email.utils import unquote
        cr.reverse_only(unquote, why="for the test")
        @cr.rrule(unquote)
        def unquote_rrule(str):
            return str, lambda y_bar: (y_bar,)
        """,
    ),
    (
        "parameters",
        "it has 2 data parameters; the ufunc takes 1",
        """
        root = np.frompyfunc(abs, 1, 1)
        cr.reverse_only(root, why="for the test")
        @cr.rrule(root)
        def root_rrule(x: float, out: np.ndarray):
            return x, lambda y_bar: (y_bar, cr.Zero())
        """,
    ),
    (
        "parameters",
        "its data parameter 0, y, receives the primal's x",
        """
        cr.reverse_only(f, why="for the test")
        @cr.rrule(f)
        def f_rrule(y: float, x: float):
            return x * y, lambda y_bar: (y_bar * y, y_bar * x)
        """,
    ),
]


@pytest.fixture
def rules_of(tmp_path, monkeypatch):
    """The entries that a module with this text registers."""

    def registered(text: str) -> list[tuple[registry.Rules, list[registry.Method]]]:
        name = f"linted_{tmp_path.name}".replace("-", "_")
        file = tmp_path / f"{name}.py"
        file.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
        module = ModuleType(name)
        monkeypatch.setitem(sys.modules, name, module)
        before = {id(m) for e in registry.registered() for ms in e.methods.values() for m in ms}
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), vars(module))
        new = [
            (e, [m for ms in e.methods.values() for m in ms if id(m) not in before])
            for e in registry.registered()
        ]
        return [(e, methods) for e, methods in new if methods]

    before = dict(table)
    yield registered
    table.clear()
    table.update(before)
    caches.invalidate()


@pytest.mark.parametrize(("code", "what", "text"), FINDINGS, ids=[f"{c}: {w}" for c, w, _ in FINDINGS])
def test_a_mistake_is_found(code: str, what: str, text: str, rules_of: Any) -> None:
    found = [finding for finding in lint(rules_of(text)) if finding.code == code]
    assert found, "nothing was found"
    assert what in found[0].what
    assert ".py:" in str(found[0])
    assert found[0].why
    assert found[0].next


RARE = """
def seven(a, b, c, d, e, f, g):
    return a
Any = float | int | complex | str | bytes | list
Most = float | int | complex | str | bytes
cr.forward_only(seven, why="a test")
@cr.frule(seven)
def first_frule(tangents, a: list, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any):
    return a, tangents[0]
@cr.frule(seven)
def last_frule(tangents, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: list):
    return a, tangents[0]
@cr.frule(seven)
def both_frule(tangents, a: list, b: Most, c: Any, d: Any, e: Any, f: Any, g: list):
    return a, tangents[0]
"""


def test_every_combination_of_types_is_tried(rules_of: Any) -> None:
    """The two meet in 7,776 ways, of which a third rule answers for all but the last 1,296."""
    (found,) = [finding for finding in lint(rules_of(RARE)) if finding.code == "ambiguous"]
    assert "(list, list, " in found.what


SOUND = """
@cr.frule(f)
def f_frule(tangents, x: float, y: float = 1.0):
    return x * y, tangents[0]
@cr.rrule(f)
def f_rrule(x: float, y: float = 1.0):
    def f_pullback(y_bar):
        def inner(x):
            return x, x, x
        return y_bar * y, inner(y_bar)[0]
    return x * y, f_pullback
cr.scalar_rule(pair, lambda y, x: 1.0)
"""


def test_sound_rules_have_no_findings(rules_of: Any) -> None:
    assert lint(rules_of(SOUND)) == []


def test_a_comment_with_a_reason_excuses(rules_of: Any) -> None:
    entries = rules_of("""
        from email.utils import quote
        cr.reverse_only(quote, why="for the test")
        @cr.rrule(quote)  # lint: piracy, the standard library has no rules of its own
        def quote_rrule(str: float):
            return str, lambda y_bar: (y_bar,)
        """)
    assert lint(entries) == []


def test_a_comment_without_a_reason_does_not(rules_of: Any) -> None:
    entries = rules_of("""
        from email.utils import quote
        cr.reverse_only(quote, why="for the test")
        @cr.rrule(quote)  # lint: piracy
        def quote_rrule(str: float):
            return str, lambda y_bar: (y_bar,)
        """)
    assert [finding.code for finding in lint(entries)] == ["piracy"]


def test_debug_mode_warns_at_registration(rules_of: Any) -> None:
    text = FINDINGS[0][2]
    with debug_mode(), pytest.warns(RuleLintWarning, match=r"returns 1 cotangent for 2 data parameters"):
        rules_of(text)


def test_debug_mode_is_silent_about_what_may_come_later(rules_of: Any) -> None:
    with warnings.catch_warnings(), debug_mode():
        warnings.simplefilter("error")
        rules_of(SOUND)


def test_rules_with_mutation_are_read_as_such(rules_of: Any) -> None:
    entries = rules_of("""
        def fill(a, v): a[...] = v
        @cr.frule(fill, mutates=(0,))
        def fill_frule(tangents, a: np.ndarray, v: float):
            return None, cr.NoTangent(), {0: np.full_like(a, tangents[1])}
        @cr.rrule(fill, mutates=(0,))
        def fill_rrule(a: np.ndarray, v: float):
            def fill_pullback(y_bar, states):
                return cr.Zero(), np.sum(states[0])
            return None, fill_pullback
        """)
    assert lint(entries) == []


def test_the_catalogue_registers_clean_in_debug_mode() -> None:
    program = "import chainrules as cr, warnings; cr.core.loading.load_all()"
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(
        command, env={"CHAINRULES_DEBUG": "1", "PATH": ""}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
