"""The pytest plugin, in pytest runs of its own."""

import subprocess
import sys

import pytest
from tests.testing.package import write_package

pytest_plugins = ["pytester"]

TEST = """
import pytest

@pytest.mark.chainrules_rules("{name}")
def test_rule(check_declared):
    check_declared()
"""


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(pytester.path)
    monkeypatch.setenv("PYTHONPATH", str(pytester.path), prepend=":")
    return lambda *options: pytester.runpytest_subprocess("-p", "pytest_chainrules", *options)


def test_every_rule_of_a_package_is_a_test(pytester, run):
    write_package(pytester.path, "good")
    pytester.makepyfile(TEST.format(name="good"))
    result = run("-v", "-p", "no:xdist")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(
        [
            "*test_rule[[]good.double(float)[]] PASSED*",
            "*derivative rules*",
            "rule *modes *cases *worst error *seconds",
            "good.double *for+rev *2 *",
            "good.triple *for+rev *1 *",
        ]
    )


def test_wrong_rules_and_rules_without_a_case_fail(pytester, run):
    write_package(pytester.path, "bad", slope=3.3)
    write_package(pytester.path, "bare", triple=False)
    settings = '[tool.chainrules.cases]\nbad = "checks/cases_bad.py"\nbare = "checks/cases_bare.py"\n'
    (pytester.path / "pyproject.toml").write_text(settings, encoding="utf-8")
    pytester.makepyfile(test_bad=TEST.format(name="bad"), test_bare=TEST.format(name="bare"))
    result = run("-n", "1")
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines_random(
        [
            "*CheckError: check_rule of bad.triple: * against differences*",
            "*CheckError: no case is declared for bare.triple*",
            "bad.triple *1 *9.1e-02 * 1 failed",
            "bare.triple * 1 failed",
        ]
    )


def test_seeds_and_settings_reach_the_checks(pytester, run):
    pytester.makepyfile("""
        import pytest
        from chainrules.testing.settings import current

        def test_seed(chainrules_seed):
            assert chainrules_seed == current().seed == 7

        @pytest.mark.chainrules(seed=3, side="right")
        def test_settings():
            assert (current().seed, current().side) == (3, "right")
    """)
    run("--chainrules-seed", "7", "--strict-markers").assert_outcomes(passed=2)


def test_what_is_not_declared_is_an_error_of_collection(pytester, run):
    pytester.makepyfile(TEST.format(name="numpy"))
    result = run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no cases are declared for numpy*", "*numpy = *folder/of/cases*"])
    pytester.makepyfile("""
        import pytest

        @pytest.mark.chainrules_rules("numpy")
        def test_rule(): ...
    """)
    run().stdout.fnmatch_lines(["*chainrules_rules wants the name of a package and a test that takes*"])


def test_pytest_starts_without_importing_the_package():
    program = "import sys, pytest, pytest_chainrules; print(*{m.partition('.')[0] for m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"chainrules", "numpy", "scipy", "plum"} & set(done.stdout.split())
