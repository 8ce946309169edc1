"""Parsing a text again: what Python says of other threads, and of the text."""

import ast
import warnings
from typing import Any

import pytest

from chainrules.engines.source.syntax.quiet import quietly


def test_what_another_thread_made_of_it() -> None:
    """In Python 3.11 two threads that make trees at once may count each other's depth."""
    raised = [SystemError("AST constructor recursion depth mismatch (before=75, after=64)")]

    def parse(text: str) -> Any:
        if raised:
            raise raised.pop()
        return ast.parse(text)

    assert ast.unparse(quietly(parse, "x = 1")) == "x = 1"


def test_an_error_of_the_text_is_raised() -> None:
    with pytest.raises(SyntaxError):
        quietly(ast.parse, "x = ")


def test_a_warning_is_none() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        quietly(ast.parse, "x = 1 is 1")
