"""The command: what it prints, what it writes, and how it ends."""

import json
import subprocess
import sys
import tomllib

import pytest
from tests.testing.package import write_package

import chainrules as cr
from chainrules.__main__ import main
from chainrules.testing.command import run


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name, **options: write_package(tmp_path, name, **options)


def test_check_shows_a_table_and_succeeds(package, capsys):
    package("tidy")
    assert run(["check", "tidy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["rule", "modes", "cases", "worst", "error", "seconds"]
    assert lines[1].split()[:3] == ["tidy.double", "for+rev", "2"]
    assert lines[-1].startswith("tidy: 2 callables, 3 cases, 0 failed")


def test_rules_that_write_are_checked_to_second_order(package, capsys, tmp_path):
    package("plainly")
    with (tmp_path / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('python = "checks"\n')
    with (tmp_path / "checks" / "cases_plainly.py").open("a", encoding="utf-8") as file:
        file.write("CASES.append(declare(list.append, [], 1.0))")
    assert run(["check", "python", "--order", "2", "--only", "list.append"]) == 0
    assert "0 failed" in capsys.readouterr().out


def test_check_of_a_wrong_rule_fails_and_reports(package, capsys, tmp_path):
    package("untidy", slope=3.3)
    assert run(["check", "untidy", "--json", "report.json", "--seed", "5"]) == 1
    assert "checking(seed=5)" in capsys.readouterr().out
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["failed"], report["seed"], report["cases"]) == (1, 5, 3)
    wrong = report["rules"][1]
    assert (wrong["name"], wrong["passed"]) == ("untidy.triple", False)
    assert wrong["worst"] == pytest.approx(0.1, rel=0.1)


def test_json_alone_goes_to_the_output(package, capsys):
    package("plain")
    assert run(["check", "plain", "--only", "double", "--json", "-"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)["rules"]] == ["plain.double"]


def test_coverage_counts_and_lists(capsys):
    assert run(["coverage", "numpy.fft", "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["differentiable"] == 16
    assert report["functions"]["numpy.fft.fftfreq"]["kind"] == "creation"
    assert run(["coverage", "colorsys", "--strict"]) == 1
    out = capsys.readouterr().out
    assert "without rules (6)" in out
    assert "colorsys.rgb_to_hsv" in out


def test_rules_have_their_place(capsys):
    assert run(["rules", "numpy.sum"]) == 0
    assert "rules/numpy/reductions.py:" in capsys.readouterr().out
    assert run(["rules", "max"]) == 0
    assert "extremum_of_arguments_rrule" in capsys.readouterr().out


def test_lint_of_a_package(package, capsys, tmp_path):
    package("lean")
    with (tmp_path / "lean.py").open("a", encoding="utf-8") as file:
        file.write("\nfrom email.utils import quote\n@cr.rrule(quote)\ndef quote_rrule(str: float):\n")
        file.write("    return str, lambda y_bar: (y_bar,)\n")
    assert run(["lint", "lean"]) == 1
    out = capsys.readouterr().out
    assert "piracy: reverse rule quote_rrule of email._parseaddr.quote" in out
    assert "lean: 5 rules, 1 lone, 1 piracy" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "unheard_of"], "no cases are declared for unheard_of"),
        (["coverage", "unheard_of"], "there is no module unheard_of"),
        (["rules", "numpy.unheard_of"], "there is no numpy.unheard_of"),
        (["rules", "unheard_of"], "next: say it with its module"),
        (["lint", "unheard_of"], "there is no package, module or library unheard_of"),
        (["check"], "Missing argument 'TARGET'"),
        (["frob"], "No such command 'frob'"),
    ],
)
def test_what_cannot_be_answered(arguments, message, capsys):
    assert run(arguments) == 2
    assert message in capsys.readouterr().err


def test_without_its_libraries_the_command_names_the_extra():
    program = """import sys
sys.modules["click"] = None
from chainrules.testing.command import run
sys.exit(run(["check", "numpy"]))"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "chainrules[cli]"' in done.stderr


def test_help_and_the_module(capsys, monkeypatch):
    assert run(["--help"]) == 0
    assert "coverage" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["chainrules", "rules", "numpy.argmax"])
    assert main() == 0
    assert "not differentiable" in capsys.readouterr().out


def test_coverage_counts_no_rules(package, capsys, tmp_path):
    package("counted")
    with (tmp_path / "counted.py").open("a", encoding="utf-8") as file:
        file.write("\n\ndef half(x): return 0.5 * x\n\n@cr.rrule(half)\n")
        file.write("def half_rrule(x: float): return half(x), lambda y_bar: 0.5 * y_bar\n")
    assert run(["coverage", "counted"]) == 0
    assert "half_rrule" not in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_alone(option, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["chainrules", option])
    assert main() == 0
    assert capsys.readouterr().out == f"chainrules {cr.__version__}\n"
    assert run(["--help"]) == 0
    assert option in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("CASES = [undefined]", "NameError: name 'undefined' is not defined"),
        ("CASES = [", "SyntaxError: '[' was never closed"),
        ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
    ],
)
def test_a_broken_file_of_cases_is_named_with_its_line(text, said, package, capsys, tmp_path):
    package("broken")
    (tmp_path / "checks" / "cases_broken.py").write_text(f"\n{text}\n", encoding="utf-8")
    assert run(["check", "broken"]) == 2
    error = capsys.readouterr().err
    assert error.splitlines()[0] == f"chainrules: the cases in checks.cases_broken cannot be imported: {said}"
    assert f"{tmp_path / 'checks' / 'cases_broken.py'}:2" in error
    assert "Traceback" not in error


def test_a_broken_configuration_is_named(package, capsys, tmp_path):
    package("configured")
    (tmp_path / "pyproject.toml").write_text("[tool.chainrules", encoding="utf-8")
    assert run(["check", "configured"]) == 2
    assert "pyproject.toml is no valid TOML" in capsys.readouterr().err


@pytest.mark.parametrize("target", ["scipy.signal", "json"])
def test_what_to_add_is_valid_toml(target, package, capsys, tmp_path):
    package("known")
    assert run(["check", target]) == 2
    advice = capsys.readouterr().err.partition("or say --cases")[2]
    cases = tomllib.loads(advice)["tool"]["chainrules"]["cases"]
    assert cases == {target: ["folder/of/cases"]}


def test_a_program_is_profiled(tmp_path, capsys):
    script, page = tmp_path / "train.py", tmp_path / "page.html"
    script.write_text(
        "import sys\nimport numpy as np\nimport chainrules as cr\n\n\n"
        "def loss(x):\n    return np.sum(np.sin(x) ** 2)  # the loss\n\n\n"
        "for _ in range(int(sys.argv[1])):\n    cr.grad(loss)(np.ones(100_000))\n"
        "print('trained', __name__)\nsys.exit(3)\n",
        encoding="utf-8",
    )
    assert run(["profile", "--to", str(page), str(script), "30"]) == 3
    shown = capsys.readouterr().out
    assert shown.startswith("trained __main__\n")
    assert "train.py:7  return np.sum(np.sin(x) ** 2)  # the loss" in shown
    assert "the loss" in page.read_text(encoding="utf-8")
    assert run(["profile", "--every", "0", str(script)]) != 0
