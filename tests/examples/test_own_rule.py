"""The author's hour, in a process of its own: the rule that it registers is for it alone."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
NUMBERS = r"\[([^\[\]]+)\]"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("own_rule")
    program = "import sys, pathlib, examples.own_rule as o; o.main(output=pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-W", "error", "-c", program, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "own_rule.png").stat().st_size > 10_000
    assert str(folder / "own_rule.png") in done.stdout
    assert "fitting: 100%" in done.stderr
    return done.stdout


def test_the_error_names_the_function_the_calls_and_the_line_to_write(told: str) -> None:
    error = told.partition("NoRuleError: ")[2].partition("\n\n")[0]
    assert error.startswith("no reverse rule for scipy.special.cython_special.owens_t(float64, float64)\n")
    assert re.search(r"own_rule\.py:\d+\n.*2 \* cython_special\.owens_t\(z, slope\)\n +\^{32}\n", error)
    assert re.search(
        r"when differentiating this call: .*own_rule\.py:\d+\n +above = skew_normal_cdf\(", error
    )
    assert "`@chainrules.rrule(scipy.special.cython_special.owens_t)`" in error


def test_the_slip_is_found_and_named(told: str) -> None:
    error = told.partition("AssertionError: ")[2].partition("\n\n")[0]
    assert "check_rule of scipy.special.cython_special.owens_t" in error
    assert "argument 0" in error
    assert "own_rule.py" in error
    assert "passed: " in told


def test_the_gradient_agrees_with_differences(told: str) -> None:
    gradient, differences = (
        np.array(row.split(), float) for row in re.findall(NUMBERS, told[told.index("5. ") :])
    )
    np.testing.assert_allclose(gradient, differences, rtol=1e-6)
    assert np.all(np.abs(gradient) > 0.1)


def test_the_fit_is_scipys(told: str) -> None:
    """SciPy's fit of the 442 values themselves: location 21.01, width 6.95, slope 3.52."""
    found = re.search(r"^location ([\d.]+), width ([\d.]+), slope ([\d.]+)$", told, flags=re.M)
    assert found is not None
    np.testing.assert_allclose([float(n) for n in found.groups()], [21.01, 6.95, 3.52], rtol=0.1)
