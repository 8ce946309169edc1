"""Every row of the matrix in JAX: derivatives against differences, `jit` and `vmap` against those."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines.matrix import ROWS, Row, modes_of

import chainrules as cr
from chainrules.testing import finite

jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")


@pytest.fixture(autouse=True)
def _double() -> Any:
    with jax.enable_x64(True):
        yield


def moving(value: Any) -> bool:
    return isinstance(value, float | complex | np.ndarray) and np.asarray(value).dtype.kind in "fc"


def flat(row: Row, f: Callable[..., Any], is_leaf: Callable[[Any], bool] = moving) -> tuple[Any, list[Any]]:
    """f of the arrays that move, giving the list of real or complex arrays in its value; and those arrays."""
    leaves, tree = jax.tree.flatten(row.args)
    at = [i for i, leaf in enumerate(leaves) if is_leaf(leaf)]

    def of_arrays(*x: Any) -> Any:
        given = list(leaves)
        for i, a in zip(at, x, strict=True):
            given[i] = a
        return jax.tree.leaves(f(*jax.tree.unflatten(tree, given), **row.kwargs))

    return of_arrays, [leaves[i] for i in at]


@functools.cache
def adapted(name: str) -> Callable[..., Any]:
    """The function of a row in JAX: one for all modes, so that a rule is traced and compared once."""
    (f,) = [row.f for row in ROWS if row.name == name]
    return cr.to_jax(f)


class Setting:
    """A row, its function in JAX, and directions that are the same for every mode."""

    def __init__(self, row: Row) -> None:
        self.host, self.x = flat(row, row.f)
        self.f, _ = flat(row, adapted(row.name))
        numbers = np.random.default_rng(11)
        self.dx = [self.like(numbers, a) for a in self.x]
        self.y_bar = [self.like(numbers, np.asarray(y)) for y in self.host(*self.x)]

    @staticmethod
    def like(numbers: Any, a: Any) -> Any:
        real = numbers.normal(size=np.shape(a))
        return real + 1j * numbers.normal(size=np.shape(a)) if np.iscomplexobj(a) else real

    def pull(self, *x: Any) -> Any:
        return jax.vjp(self.f, *x)[1](self.y_bar)

    def push(self, *x: Any) -> Any:
        return jax.jvp(self.f, x, tuple(map(jax.numpy.asarray, self.dx)))[1]

    def check(self, got: Any, expected: Any) -> None:
        for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(expected), strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-6, atol=2e-6)

    def reverse(self) -> None:
        """⟨ȳ, J ẋ⟩ is that from differences; JAX's cotangents are the conjugates of ours."""
        found = sum(
            np.sum(np.asarray(t) * dx).real for t, dx in zip(self.pull(*self.x), self.dx, strict=True)
        )
        y_bar = [np.conj(t) for t in self.y_bar]
        self.check(found, finite.vjp(self.host, self.x, y_bar, self.dx)[0])

    def forward(self) -> None:
        self.check(self.push(*self.x), list(finite.jvp(self.host, self.x, self.dx).tangent))

    def second(self) -> None:
        """The change of the pullback along ẋ, forward over reverse and reverse over reverse."""
        slope = tuple(finite.jvp(lambda *x: [np.asarray(t) for t in self.pull(*x)], self.x, self.dx).tangent)
        _, found = jax.jvp(self.pull, tuple(self.x), tuple(map(jax.numpy.asarray, self.dx)))
        self.check(found, slope)
        numbers = np.random.default_rng(3)
        w = tuple(self.like(numbers, a) for a in self.x)
        back = jax.vjp(self.pull, *self.x)[1](w)
        one = sum(np.sum(np.asarray(t) * dx).real for t, dx in zip(back, self.dx, strict=True))
        self.check(one, sum(np.sum(np.asarray(t) * v).real for t, v in zip(slope, w, strict=True)))

    def compile(self) -> None:
        for f in (self.f, self.pull, self.push):
            self.check(jax.jit(f)(*self.x), f(*self.x))

    def vmap(self) -> None:
        points = [[a * (1 + 0.01 * k) for a in self.x] for k in range(3)]
        together = [jax.numpy.stack(parts) for parts in zip(*points, strict=True)]
        for f in (self.f, self.pull, self.push):
            one_by_one = [f(*x) for x in points]
            expected = jax.tree.map(lambda *parts: np.stack(parts), *one_by_one)
            self.check(jax.vmap(f)(*together), expected)


@pytest.mark.parametrize("mode", modes_of("jax"))
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row(row: Row, mode: str) -> None:
    getattr(Setting(row), mode)()
