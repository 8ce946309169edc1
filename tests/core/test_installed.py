"""Which functions are an installed package's, which are followed, and what messages call them."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from scipy import interpolate, linalg, optimize

import chainrules as cr
from chainrules.core import installed
from chainrules.core.public_names import public_name
from chainrules.testing import check_grads

SOURCE = '''
import functools

import numpy as np

import chainrules as cr


def cube(x):
    """For its author to answer for."""
    return x * x * x


def wraps(f):
    """A decorator, as many packages have."""

    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)

    return wrapper


class Scale:
    """A callable object."""

    def __init__(self, k):
        self.k = 1.0 * k

    def __call__(self, x):
        return self.k * x

    @property
    def twice(self):
        return 2 * self.k

    def __getitem__(self, i):
        return self.k * i


def ruled(x):
    """Has a rule, whose body calls back."""
    return np.sin(x)


@cr.frule(ruled)
def ruled_frule(tangents, x):
    """ẏ = cos x ẋ"""

    def push(dx):
        return np.cos(x) * dx

    return ruled(x), push(tangents[0])


@cr.rrule(ruled)
def ruled_rrule(x):
    """x̄ = cos x ȳ"""

    def ruled_pullback(y_bar):
        return np.cos(x) * y_bar

    return ruled(x), ruled_pullback


def partial(y, x):
    return 2 * x


def squared(x):
    return np.asarray(x) ** 2


cr.scalar_rule(squared, partial)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A package in a folder called site-packages."""
    monkeypatch.syspath_prepend(str(_written(tmp_path, "site-packages")))
    import otherparty  # type: ignore[import-not-found]

    declared = set(installed._declared)
    yield otherparty
    del sys.modules["otherparty"]
    installed._declared.clear()
    installed._declared.update(declared)


def _written(folder: Path, name: str) -> Path:
    place = folder / name / "otherparty"
    place.mkdir(parents=True)
    (place / "__init__.py").write_text(SOURCE, encoding="utf-8")
    return place.parent


def test_a_package_in_site_packages_is_not_followed(package: Any) -> None:
    for f in (package.cube, lambda x: package.cube(x), lambda x: cr.grad(package.cube)(x)):
        for operator in (cr.grad, cr.derivative):
            with pytest.raises(cr.NoRuleError, match=r"otherparty\.cube has no rule"):
                operator(f)(2.0)


def test_what_is_reached_in_other_ways_is_named_as_well(package: Any) -> None:
    scale = package.Scale(2.0)
    programs = {
        "Scale.__call__": lambda x: scale(x),
        "Scale": lambda x: package.Scale(x).k,
        "Scale.__getitem__": lambda x: scale[x],
    }
    for name, f in programs.items():
        for operator in (cr.grad, cr.derivative):
            with pytest.raises(cr.NoRuleError, match=rf"otherparty\.{name} has no rule"):
                operator(f)(2.0)
    with pytest.raises(cr.NoRuleError, match=r"otherparty\.Scale\.twice has no rule"):
        cr.grad(lambda s: s.twice)(scale)
    assert float(cr.grad(lambda s: 3.0 * s.k)(scale).k) == 3.0  # a field is one, whosever class it is


def test_a_wrapper_is_named_with_what_it_wraps(package: Any) -> None:
    def mine(x: float) -> float:
        return x * x

    with pytest.raises(cr.NoRuleError, match=r"otherparty\.wraps.*, around .*mine, has no rule"):
        cr.grad(package.wraps(mine))(2.0)


def test_rules_and_their_parts_are_followed(package: Any) -> None:
    for f in (package.ruled, package.squared):
        check_grads(lambda x, f=f: f(x) * x, 0.7, order=2)


@pytest.mark.parametrize("name", ["otherparty", "otherparty.cube"])
def test_an_author_may_say_that_it_is_followed(package: Any, name: str) -> None:
    with pytest.raises(cr.NoRuleError):
        cr.grad(package.cube)(2.0)
    cr.follow(name)
    assert cr.grad(package.cube)(2.0) == 12.0
    assert cr.grad(package.cube, engine="tape")(2.0) == 12.0
    with pytest.raises(TypeError, match="dotted names"):
        cr.follow(package)


def test_an_entry_point_says_the_same(tmp_path: Path) -> None:
    folder = _written(tmp_path, "site-packages")
    metadata = folder / "otherparty-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: otherparty\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[chainrules.follow]\notherparty = otherparty\n")
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); import otherparty, chainrules as cr; "
    code += "print(cr.grad(otherparty.cube)(2.0))"
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "12.0"


def test_a_checkout_is_ones_own_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(_written(tmp_path, "src")))
    import otherparty

    try:
        assert cr.grad(otherparty.cube)(2.0) == 12.0
    finally:
        del sys.modules["otherparty"]


@pytest.mark.parametrize(
    ("f", "args", "name"),
    [
        (linalg.cho_factor, (), "scipy.linalg.cho_factor"),
        (optimize.toms748, (), "scipy.optimize.toms748"),
        (interpolate.CubicSpline, (), "scipy.interpolate.CubicSpline"),
        (
            scipy.sparse.csr_array.__matmul__,
            (scipy.sparse.csr_array(np.eye(2)),),
            "scipy.sparse.csr_array.__matmul__",
        ),
        (
            interpolate.KroghInterpolator.__call__,
            (),
            "scipy.interpolate._polyint._Interpolator1D.__call__",
        ),
        (test_rules_and_their_parts_are_followed, (), f"{__name__}.test_rules_and_their_parts_are_followed"),
    ],
)
def test_public_names(f: Any, args: tuple[Any, ...], name: str) -> None:
    assert public_name(f, args) == name
