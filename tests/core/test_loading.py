"""Rule files load when their library is first differentiated, also those of other distributions."""

import subprocess
import sys
import textwrap
import types
from pathlib import Path

import pytest

from chainrules.core.loading import root_of


def run(program: str, *paths: Path) -> str:
    """What a program prints in a fresh interpreter."""
    code = f"import sys\nsys.path[:0] = {[str(p) for p in paths]!r}\n{textwrap.dedent(program)}"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


LISTED = 'print(*sorted(m for m in sys.modules if m.startswith("chainrules.rules.") and m.count(".") == 2))\n'


def test_importing_chainrules_imports_no_rules_and_no_scipy_parts() -> None:
    assert run("import chainrules\n" + LISTED) == ""
    heavy = 'print(*[m for m in ("scipy.stats", "scipy.optimize", "jax", "torch") if m in sys.modules])'
    assert run("import chainrules\n" + heavy) == ""


def test_the_first_use_of_a_library_loads_its_rules_alone() -> None:
    use = "import chainrules as cr, numpy\nassert cr.apply_rrule(numpy.sin, 0.5)[1](1.0)\n" + LISTED
    assert "chainrules.rules.numpy" in run(use)
    assert "chainrules.rules.chainrules" not in run(use)


def test_a_part_of_scipy_loads_its_rules_alone() -> None:
    use = """
        import chainrules as cr
        from scipy import linalg, special
        assert cr.apply_rrule(special.expm1, 0.5)[1](1.0)
        print("chainrules.rules.scipy.special" in sys.modules, "chainrules.rules.scipy.linalg" in sys.modules)
    """
    assert run(use) == "True False"


@pytest.mark.parametrize("call", ["vjp(linalg.expm, a)[1](a)[0]", "jvp(linalg.expm, (a,), (a,))[1]"])
def test_the_first_derivative_of_a_part_finds_its_rule(call: str) -> None:
    use = f"""
        import chainrules as cr, numpy
        from scipy import linalg
        a = numpy.zeros((1, 1))
        print(cr.{call})
    """
    assert run(use) == "[[0.]]"


@pytest.mark.parametrize("call", ["grad(cr.grad(f))", "derivative(cr.derivative(f))", "hessian(f)"])
def test_the_first_second_derivative_of_a_part_finds_its_rule(call: str, tmp_path: Path) -> None:
    program = """
        from scipy import stats

        def f(x):
            return stats.norm.logpdf(x)
    """
    (tmp_path / "normal.py").write_text(textwrap.dedent(program))
    use = f"""
        import chainrules as cr
        from normal import f
        print(float(cr.{call}(0.5)))
    """
    assert run(use, tmp_path) == "-1.0"


def test_an_argument_s_library_is_loaded_too() -> None:
    use = """
        import chainrules as cr, operator, numpy
        print(cr.apply_rrule(operator.mul, numpy.ones(2), 3.0)[1](numpy.ones(2))[0])
    """
    assert run(use) == "[3. 3.]"


@pytest.fixture
def distribution(tmp_path: Path) -> Path:
    """A library, and another distribution with its rules announced by an entry point."""
    (tmp_path / "thermo.py").write_text("def heat(t):\n    return 4.0 * t\n")
    (tmp_path / "thermo_rules.py").write_text(
        textwrap.dedent("""
        import chainrules as cr, thermo, time
        time.sleep(0.2)
        @cr.rrule(thermo.heat)
        def heat_rrule(t: float):
            return thermo.heat(t), lambda y_bar: (40.0 * y_bar,)
        """)
    )
    info = tmp_path / "thermo_rules-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thermo-rules\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[chainrules.rules]\nthermo = thermo_rules\n")
    return tmp_path


def test_another_distribution_announces_its_rules_by_an_entry_point(distribution: Path) -> None:
    program = """
        import chainrules as cr, thermo
        assert "thermo_rules" not in sys.modules
        print(cr.apply_rrule(thermo.heat, 1.0)[1](1.0), cr.grad(thermo.heat)(1.0))
    """
    assert run(program, distribution) == "(40.0,) 40.0"


def test_an_engine_finds_rules_that_it_must_load_first(distribution: Path) -> None:
    (distribution / "calls.py").write_text("def applied(f, t):\n    return f(t)\n")
    for call in ("cr.grad(thermo.heat)(1.0)", "cr.grad(calls.applied, 1)(thermo.heat, 1.0)"):
        program = f"import chainrules as cr, thermo, calls\nprint({call})"
        assert run(program, distribution) == "40.0"


def test_threads_that_come_while_rules_load_wait_for_them(distribution: Path) -> None:
    program = """
        import chainrules as cr, thermo
        from concurrent.futures import ThreadPoolExecutor
        with ThreadPoolExecutor(4) as pool:
            print({a and a[1](1.0) for a in pool.map(lambda _: cr.apply_rrule(thermo.heat, 1.0), range(8))})
    """
    assert run(program, distribution) == "{(40.0,)}"


def test_an_import_that_fails_is_tried_again(distribution: Path) -> None:
    (distribution / "thermo_rules.py").write_text("raise RuntimeError('broken rules')")
    program = """
        import chainrules as cr, thermo
        for _ in range(2):
            try:
                cr.apply_rrule(thermo.heat, 1.0)
            except RuntimeError as error:
                print(error)
    """
    assert run(program, distribution).splitlines() == ["broken rules", "broken rules"]


def test_the_type_of_fields_has_a_module() -> None:
    assert root_of(types.MemberDescriptorType) == "builtins"
