"""Tracebacks of typical mistakes, kept as files in tests/tracebacks: each program has its text beside it.

`CHAINRULES_KEEP_TRACEBACKS=1` writes the texts anew; look at what changed before you keep them.
"""

import os
import re
import runpy
import traceback
from pathlib import Path

import pytest

import chainrules as cr
from chainrules.core.tracebacks import shorten

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests" / "tracebacks").glob("*.py"))
LONGEST = 12


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAINRULES_TRACEBACK", "short")


def shown(program: Path) -> str:
    """What the interpreter prints when a program fails: from the program's own frame on."""
    with pytest.raises(Exception) as raised:  # noqa: PT011  # of any kind
        runpy.run_path(str(program), run_name=program.stem)
    error = raised.value
    place = error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename != str(program):
        place = place.tb_next
    return "".join(traceback.format_exception(type(error), error, place)).replace(f"{ROOT}{os.sep}", "")


def comparable(text: str) -> str:
    """Without marks below lines, which every version of Python sets its own way, and our line numbers."""
    text = re.sub(r"\n *[\^~]+(?=\n)", "", text)
    return re.sub(r"(chainrules/\S+\.py\", line )\d+", r"\1…", text)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_a_mistake_shows_as_the_file_says(program: Path) -> None:
    text, kept = shown(program), program.with_suffix(".txt")
    if os.environ.get("CHAINRULES_KEEP_TRACEBACKS"):
        kept.write_text(text, encoding="utf-8")
    assert comparable(text) == comparable(kept.read_text(encoding="utf-8"))
    assert len(text.splitlines()) <= LONGEST


def failing(x):
    return x / 0.0


def test_everything_is_shown_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAINRULES_TRACEBACK", "full")
    with pytest.raises(ZeroDivisionError) as raised:
        cr.grad(failing)(1.0)
    assert any("chainrules" in str(entry.path) and entry.name == "reverse" for entry in raised.traceback)


@pytest.mark.parametrize(
    "call",
    [
        lambda: cr.grad(failing)(1.0),
        lambda: cr.grad(failing, engine="tape")(1.0),
        lambda: cr.value_and_grad(failing)(1.0),
        lambda: cr.derivative(failing)(1.0),
        lambda: cr.jacobian(failing)(1.0),
        lambda: cr.hessian(failing)(1.0),
        lambda: cr.jvp(failing, (1.0,), (1.0,)),
        lambda: cr.vjp(failing, 1.0),
        lambda: cr.linearize(failing, 1.0),
        lambda: cr.hvp(failing, 1.0, 1.0),
        lambda: cr.grad(lambda x: cr.grad(failing)(x))(1.0),
        lambda: cr.explain(failing, 1.0),
    ],
)
def test_an_error_of_the_users_own_function_shows_the_users_frames_alone(call) -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        call()
    files = {str(entry.path) for entry in raised.traceback}
    assert files == {__file__}
    assert raised.traceback[-1].name == "failing"


def test_what_was_dealt_with_inside_the_package_goes() -> None:
    code = compile("try:\n    {}[0]\nexcept KeyError:\n    f()", cr.core.__file__, "exec")

    def fails():
        raise ValueError("outside")

    with pytest.raises(ValueError, match="outside") as raised:
        exec(code, {"f": fails})
    assert isinstance(raised.value.__context__, KeyError)
    shorten(raised.value)
    assert raised.value.__context__ is None
    assert raised.value.__suppress_context__


def test_what_the_users_function_dealt_with_stays() -> None:
    def loss(x):
        try:
            return x / 0.0
        except ZeroDivisionError as error:
            raise ValueError("outside") from error

    with pytest.raises(ValueError, match="outside") as raised:
        cr.grad(loss)(1.0)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)


def test_an_error_inside_the_package_says_how_to_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    inside: dict[str, object] = {}
    exec(compile("def chosen(*given): raise KeyError", cr.core.__file__, "exec"), inside)
    monkeypatch.setattr("chainrules.engines.operators.chosen", inside["chosen"])
    with pytest.raises(KeyError) as raised:
        cr.value_and_grad(abs)(1.0)
    assert "CHAINRULES_TRACEBACK=full" in raised.value.__notes__[0]
