"""Tests stand where their module does: `tests/core/test_seeds.py` tests `core/seeds.py`.

A folder of modules may have one file of tests of its name. Tests of what a user sees, which several modules
give together, stand under that name; `TESTED_BY` says where.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PARTS = ("tangents", "core", "usertypes", "testing")
MODULES = [p for part in PARTS for p in sorted((ROOT / part).rglob("*.py")) if p.name != "__init__.py"]

SWIFT = ("seeds/test_differentiable_types.py", "seeds/test_manifesto_types.py")
POINTERS = ("seeds/test_slang_types.py", "seeds/test_slang_order.py")
CHECKS = ("testing/test_good_rules.py", "testing/test_broken_reverse.py", "testing/test_broken_forward.py")
DECLARED = ("testing/test_declared.py", "rules/test_catalogue.py")

TESTED_BY: dict[str, tuple[str, ...]] = {
    "tangents/arrays": ("engines/test_other_arrays.py",),
    "tangents/buffers": ("tangents/test_accumulation.py",),
    "tangents/canonical": ("tangents/test_registered.py",),
    "tangents/declared": SWIFT,
    "tangents/errors": ("core/test_errors.py", "engines/test_tracebacks.py"),
    "tangents/factorizations": ("tangents/test_registered.py",),
    "tangents/operators": ("tangents/test_addition.py", "tangents/test_algebra.py"),
    "core/caches": ("core/test_registry.py", "core/test_debug.py"),
    "core/changes": ("engines/test_operators_of_writers.py", "rules/numpy/test_outputs.py"),
    "core/profiled": ("core/test_profiling.py",),
    "core/public_names": ("core/test_installed.py",),
    "core/recording": ("core/test_debug.py", "engines/tape/test_nesting.py"),
    "core/residuals": ("core/test_implicit.py",),
    "core/report": ("core/test_decorators.py", "core/test_scalar.py"),
    "core/sequences": ("engines/test_views_of_dicts.py", "rules/python/test_iteration.py"),
    "core/table": ("core/test_linting.py",),
    "core/tracebacks": ("engines/test_tracebacks.py",),
    "core/ufuncs": ("rules/numpy/test_ufuncs.py",),
    "core/watched": ("core/test_debug.py",),
    "testing/api": CHECKS,
    "testing/case": CHECKS,
    "testing/changing": ("testing/test_broken_reverse.py", "engines/test_effects_once.py"),
    "testing/checks": CHECKS,
    "testing/coverage": ("testing/test_command.py", "rules/test_catalogue.py"),
    "testing/each": DECLARED,
    "testing/inventory": DECLARED,
    "testing/measure": ("testing/test_declared.py",),
    "testing/primals": ("testing/test_strategies.py", "testing/test_sparse_primals.py"),
    "testing/programs": ("testing/test_engines.py",),
    "testing/richardson": ("testing/test_finite.py",),
    "testing/settings": ("testing/test_random.py", "testing/test_plugin.py"),
    "testing/sources": ("testing/test_foreign.py", "testing/test_check_grads.py"),
    "testing/sweep": DECLARED,
    "usertypes/attributes": ("seeds/test_manifesto_attributes.py",),
    "usertypes/conditions": SWIFT,
    "usertypes/declaring": SWIFT,
    "usertypes/differentials": POINTERS,
    "usertypes/limits": ("seeds/test_manifesto_attributes.py",),
    "usertypes/manifolds": (*SWIFT, "testing/test_user_types.py"),
    "usertypes/marks": SWIFT,
    "usertypes/matrices": (*SWIFT, "testing/test_user_types.py"),
    "usertypes/numeric": SWIFT,
    "usertypes/paired": POINTERS,
    "usertypes/pairing": POINTERS,
    "usertypes/pairs": POINTERS,
    "usertypes/pointers": POINTERS,
    "usertypes/quantized": (*SWIFT, "testing/test_user_types.py"),
    "usertypes/roles": POINTERS,
    "usertypes/spaces": SWIFT,
    "usertypes/synthesis": SWIFT,
    "usertypes/uses": POINTERS,
    "usertypes/variables": SWIFT,
}


def twins(module: Path) -> list[Path]:
    """Where tests of a module stand by its name: its own file, or that of its folder."""
    inside = module.relative_to(ROOT).parent
    own = ROOT / "tests" / inside / f"test_{module.stem.strip('_')}.py"
    return (
        [own] if len(inside.parts) == 1 else [own, ROOT / "tests" / f"{inside.parent}/test_{inside.name}.py"]
    )


def named(module: Path) -> str:
    return module.relative_to(ROOT).with_suffix("").as_posix()


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_a_module_has_its_tests(module: Path) -> None:
    name = named(module)
    stands = any(twin.exists() for twin in twins(module))
    said = TESTED_BY.keys() & {name, name.rpartition("/")[0]}
    assert stands or said, (
        f"write tests/{name.rpartition('/')[0]}/test_{module.stem}.py, or say where its tests are"
    )
    assert not (stands and name in TESTED_BY), f"{name} has a twin: take it out of TESTED_BY"


@pytest.mark.parametrize("name", TESTED_BY)
def test_what_is_said_exists(name: str) -> None:
    assert (ROOT / f"{name}.py").exists() or (ROOT / name).is_dir()
    assert all((ROOT / "tests" / place).exists() for place in TESTED_BY[name])
