"""Where source cannot be had the tape takes over, saying so once: prompts, `python -c`, executed text."""

import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import chainrules as cr

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
PROGRAM = next(iter(re.findall(r"^```python\n(.*?)^```", README, flags=re.M | re.S)))
X = np.array([0.5, -1.2])
TOTAL: Any = None


def run(*arguments: str, typed: str | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, *arguments], input=typed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done


def numbers(text: str) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d+\.\d+", text)]


@pytest.fixture(scope="module")
def from_a_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("readme") / "pasted.py"
    file.write_text(PROGRAM, encoding="utf-8")
    done = run("-W", "error", str(file))
    assert len(numbers(done.stdout)) == 4
    return numbers(done.stdout)


KEPT = sys.version_info >= (3, 13)  # Python itself keeps the text of prompts and of `-c`


@pytest.mark.parametrize(
    ("arguments", "typed", "kept"),
    [
        (("-c", PROGRAM), None, KEPT),
        (("-i", "-q"), f"{PROGRAM}\n", KEPT),
        (("-c", f"exec({PROGRAM!r})"), None, False),
    ],
    ids=["python -c", "plain prompt", "executed text"],
)
def test_the_readme_gives_the_same_numbers_and_says_so_once(arguments, typed, kept, from_a_file):
    done = run(*arguments, typed=typed)
    np.testing.assert_allclose(numbers(done.stdout), from_a_file, rtol=1e-12)
    assert done.stderr.count("NoSourceWarning") == (0 if kept else 1)
    assert kept or "loss" in done.stderr


def test_the_readme_runs_in_a_notebook(from_a_file):
    pytest.importorskip("IPython")
    shell = (
        "import warnings; warnings.simplefilter('error'); import IPython.core.interactiveshell as i\n"
        f"shell = i.InteractiveShell.instance()\nshell.run_cell({PROGRAM!r}).raise_error()"
    )
    np.testing.assert_allclose(numbers(run("-c", shell).stdout), from_a_file, rtol=1e-12)


def executed(text: str, **names: Any) -> Any:
    namespace = {"np": np, "cr": cr, **names}
    exec(text, namespace)
    return namespace["f"]


def test_it_says_so_once_for_each_function_and_can_be_silenced():
    f, g = (executed(f"def f(x): return np.sum(x ** {k})") for k in (2, 3))
    with pytest.warns(cr.NoSourceWarning, match='engine="tape"') as caught:
        assert [cr.grad(h)(X).tolist() for h in (f, f, g)] == [(2 * X).tolist()] * 2 + [(3 * X**2).tolist()]
    assert len(caught) == 2
    assert {Path(w.filename).name for w in caught} == {"test_sourceless.py"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cr.NoSourceWarning)
        quiet = executed("def f(x): return np.sum(x ** 4)")
        np.testing.assert_allclose(cr.grad(quiet)(X), 4 * X**3)


@pytest.mark.filterwarnings("ignore::chainrules.NoSourceWarning")
@pytest.mark.parametrize(
    ("take", "expected"),
    [
        (lambda f: cr.hessian(f)(X), np.diag(6 * X)),
        (lambda f: cr.hvp(f, X, X), 6 * X**2),
        (lambda f: cr.jvp(f, (X,), (X,))[1], 3 * np.sum(X**3)),
        (lambda f: cr.grad(lambda x: 2.0 * f(x))(X), 6 * X**2),  # a callee without source
        (lambda f: cr.linearize(f, X)[1](X), 3 * np.sum(X**3)),
        (lambda f: cr.derivative(lambda t: f(t * X))(1.0), 3 * np.sum(X**3)),
    ],
)
def test_every_operator_hands_over(take, expected):
    np.testing.assert_allclose(take(executed("def f(x): return np.sum(x**3)")), expected, atol=1e-12)


def test_source_that_is_there_and_not_supported_is_refused_as_before():
    async def f(x: Any) -> Any:
        return x * x

    with pytest.raises(cr.UnsupportedSyntaxError):
        cr.grad(f)(2.0)


def test_what_the_tape_refuses_says_where():
    f = executed("import math\ndef f(x): return math.sin(x)")
    assert isinstance(f, FunctionType)
    with pytest.warns(cr.NoSourceWarning), pytest.raises(cr.NotDifferentiableError, match=r"np\.sin"):
        cr.grad(f)(0.5)


@pytest.mark.parametrize(
    ("body", "error", "remedy"),
    [
        ("np.sum(np.array([x, x * x]))", "NotDifferentiableError", "np.stack([x, y])"),
        ("math.sin(x)", "NotDifferentiableError", "np.sin for math.sin"),
        ("(y := np.zeros(2), y.__setitem__(0, x))[0].sum()", "NotDifferentiableError", "for a[i] = x"),
    ],
)
def test_what_the_tape_cannot_record_is_refused_with_one_exception(body, error, remedy, monkeypatch):
    monkeypatch.setenv("CHAINRULES_TRACEBACK", "short")
    program = f"import math, numpy as np, chainrules as cr\nprint(cr.grad(lambda x: {body})(2.0))"
    if KEPT:
        program = f"exec({program!r})"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stderr.count("Error: ") == 1
    assert f"chainrules.core.errors.{error}: " in done.stderr
    assert remedy in done.stderr
    assert len(done.stderr.splitlines()) <= 12


def test_a_rule_that_the_tape_does_not_see_is_no_missing_rule():
    f = executed("from scipy import linalg\ndef f(a): return linalg.logm(a).sum()")
    with (
        pytest.warns(cr.NoSourceWarning),
        pytest.raises(
            cr.NoRuleError, match=r"logm has rules(.|\n)*chainrules\.call\(scipy\.linalg\.logm, …\)"
        ),
    ):
        cr.grad(f)(2 * np.eye(2))
    f = executed(
        "import chainrules\nfrom scipy import linalg\ndef f(a): return chainrules.call(linalg.logm, a).sum()"
    )
    with pytest.warns(cr.NoSourceWarning):
        np.testing.assert_allclose(cr.grad(f)(2 * np.eye(2)), 0.5, atol=1e-12)


def test_a_gradient_by_the_direction_of_a_derivative():
    """The direction is a recorded value then, which no specialised program takes."""
    made: dict[str, Any] = {"np": np, "cr": cr, "x": X}
    exec("f = lambda x: np.sin(x)\nh = lambda dx: np.sum(cr.jvp(f, (x,), (dx,))[1] ** 2)", made)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cr.NoSourceWarning)
        found = cr.grad(made["h"])(np.array([1.0, 2.0]))
    np.testing.assert_allclose(found, 2 * np.cos(X) ** 2 * [1.0, 2.0], rtol=1e-12)
