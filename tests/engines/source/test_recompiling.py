"""A function's text is compiled again, and told to be the code that runs without listing instructions."""

import ast
import linecache
from typing import Any

import pytest

from chainrules.engines.source.reading import recompiling
from chainrules.engines.source.reading.locate import NoSource, locate

BODY = """def f(x, n):
    helper = lambda y: np.sin(y) + math.sqrt(n)
    total = [helper(k * x) for k in range(n)]
    return np.sum(total) if n > 3 else np.mean(total)
"""


def made(text: str, name: str) -> Any:
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


@pytest.mark.parametrize("before", ["import numpy as np\nimport math\n\n", ""], ids=["a file", "a cell"])
def test_no_instruction_is_listed(before: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def listed(code: Any) -> Any:
        raise AssertionError("the instructions of a function that is compiled to the same bytes")

    monkeypatch.setattr(recompiling, "_instructions", listed)
    f = made(before + BODY, f"<recompiled {before!r}>")
    assert isinstance(locate(f.__code__).node, ast.FunctionDef)


def test_another_text_is_told_from_the_code() -> None:
    f = made(BODY, "<recompiled and edited>")
    other = BODY.replace("n > 3", "n > 4")
    linecache.cache["<recompiled and edited>"] = (len(other), None, other.splitlines(True), "edited")
    with pytest.raises(NoSource):
        locate(f.__code__)


INSIDE = """def f(x):
    try:
        y = g(x)
        y = h(y)
    except ValueError:
        y = x
    return y
"""
BEHIND = """def f(x):
    try:
        y = g(x)
    except ValueError:
        y = x
    else:
        y = h(y)
    return y
"""


@pytest.mark.parametrize(
    ("loaded", "edited"),
    [
        pytest.param(INSIDE, BEHIND, id="what is tried"),
        pytest.param(
            "def f(x, n=1):\n    return x * n\n", "def f(x, *, n=1):\n    return x * n\n", id="names"
        ),
        pytest.param(
            "def f(x):\n    return g(lambda y, z=1: x)\n",
            "def f(x):\n    return g(lambda y, *, z=1: x)\n",
            id="names inside",
        ),
    ],
)
def test_an_edit_that_leaves_the_instructions_is_seen(loaded: str, edited: str) -> None:
    name = f"<recompiled {edited!r}>"
    f = made(loaded, name)
    linecache.cache[name] = (len(edited), None, edited.splitlines(True), name)
    with pytest.raises(NoSource):
        locate(f.__code__)


def test_a_tree_that_may_be_changed_is_nobody_elses() -> None:
    source = locate(made(BODY, "<recompiled for a tree>").__code__)
    changed = source.written_anew()
    changed.args.args.clear()
    assert source.written_anew().args.args
    assert source.written.args.args
    assert source.node.args.args
