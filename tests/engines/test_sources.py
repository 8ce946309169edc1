"""Sources: generated programs can be read, and only the code that is loaded is differentiated."""

import importlib.util
import sys
from types import ModuleType

import numpy as np
import pytest

import chainrules as cr


def f(x, y):
    s = x
    for i in range(3):
        if i:
            s = s * np.sin(x) + y
    return s


def test_the_derivative_can_be_read():
    text = cr.derivative_source(f, 1.0, 2.0)
    compile(text, "<derivative>", "exec")
    assert "for i in iterated(call(range, 3)):" in text
    assert "s = add(mul(s, call(attr(np, 'sin'), x)), y)  # s = s * np.sin(x) + y" in text


def test_the_derivative_of_what_has_no_source_cannot_be_read():
    with pytest.raises(cr.NotDifferentiableError, match="not written in Python"):
        cr.derivative_source(np.sin, 1.0)
    with pytest.raises(cr.UnsupportedArgument, match="mode='sideways'"):
        cr.derivative_source(f, 1.0, 2.0, mode="sideways")


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def load(text: str) -> ModuleType:
        path = tmp_path / "edited.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("edited", path)
        assert spec is not None and spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return loaded

    return load


ORIGINAL = "def f(x):\n    assert x\n    return x * x\n\ng = lambda x: x * 3\n"


@pytest.mark.parametrize("name", ["f", "g"])
@pytest.mark.parametrize(
    "edited",
    [
        ORIGINAL.replace("x * x", "x * x * x").replace("x * 3", "x * 4"),
        "import os\n" + ORIGINAL,
        "def f(x): return x\ng = 3\n",
        "this is not Python (",
    ],
)
def test_an_edited_file_is_refused(module, tmp_path, name, edited):
    loaded = module(ORIGINAL)
    (tmp_path / "edited.py").write_text(edited)
    with pytest.raises(cr.NotDifferentiableError, match="no longer holds the code") as caught:
        cr.grad(getattr(loaded, name))(2.0)
    assert "edited.py:" in str(caught.value)
    assert "reload" in str(caught.value)


def test_what_was_read_before_an_edit_and_what_is_loaded_after_it_are_both_right(module, tmp_path):
    first = module(ORIGINAL)
    assert cr.grad(first.f)(2.0) == 4.0
    second = module(ORIGINAL.replace("x * x", "x * x * x"))
    assert cr.grad(second.f)(2.0) == 12.0
    assert cr.grad(first.f)(2.0) == 4.0


def test_text_that_was_executed_has_no_source_so_the_tape_takes_over():
    namespace: dict[str, object] = {}
    exec("def f(x): return x * x", namespace)
    with pytest.warns(cr.NoSourceWarning, match="cannot be had"):
        assert cr.grad(namespace["f"])(2.0) == 4.0  # type: ignore[arg-type]  # a function


def test_a_function_of_which_python_warned_has_a_source(module):
    with pytest.warns(SyntaxWarning):
        f = module("def f(x):\n    return 0.0 if x is 1 else x**2\n").f
    assert cr.grad(f)(3.0) == 6.0


def test_a_lambda_and_what_has_a_rule_can_be_read() -> None:
    assert cr.derivative_source(lambda x: x * x).startswith("lambda x: mul(x, x)")
    assert "has a rule of its own" in cr.derivative_source(ruled)


def ruled(x):
    return x * x


@cr.rrule(ruled)
def ruled_rrule(x: float):
    return x * x, lambda y_bar: (2.0 * x * y_bar,)
