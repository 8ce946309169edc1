"""Functions with rules inside JAX: its transformations, its types, and what is refused."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.engines.adapted import squared_in_place

import chainrules as cr
from chainrules.engines.jax.batches import Batch

jax = pytest.importorskip("jax", reason="JAX is not installed: chainrules[jax]")
jnp = pytest.importorskip("jax.numpy")

X = np.array([0.3, -1.2, 2.1])
ways = pytest.mark.parametrize("how", ["traced", "callback"])


@pytest.fixture
def double() -> Any:
    with jax.enable_x64(True):
        yield


def near(got: Any, expected: Any, rtol: float = 1e-9) -> None:
    np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=rtol, atol=rtol)


def softplus(x: Any) -> Any:
    """log(1 + eˣ), with a rule below."""
    return np.logaddexp(x, 0.0)


cr.scalar_rule(softplus, lambda y, x: 1 / (1 + np.exp(-x)))


def scaled_norm(d: Any, *, power: int = 2) -> Any:
    """A program of containers, without a rule."""
    return {"norm": np.sum(d["x"] ** power) * d["y"], "parts": (d["x"] * 2.0, [d["y"]])}


NATIVE: list[tuple[Any, Any, tuple[Any, ...]]] = [
    (softplus, lambda x: jnp.logaddexp(x, 0.0), (X,)),
    (np.sin, jnp.sin, (X,)),
    (np.log, jnp.log, (X[::2],)),
    (np.multiply, jnp.multiply, (X, np.ones((2, 3)))),
    (np.exp, jnp.exp, (X + 1j * X[::-1],)),
    (np.tanh, jnp.tanh, (X * (1 + 2j),)),
    (np.multiply, jnp.multiply, (X, X * (1 - 2j))),
    (np.matmul, jnp.matmul, (np.outer(X, X) + 1j, X)),
]


@ways
@pytest.mark.parametrize(("f", "native", "x"), NATIVE)
def test_it_is_what_jax_has(f: Any, native: Any, x: tuple[Any, ...], how: str, double: Any) -> None:
    """Value, both modes and their sums over a batch, complex cotangents in JAX's convention."""
    ours = cr.to_jax(f, how=how)
    y, back = jax.vjp(native, *x)
    seed = y * (0.5 - 0.25j) if np.iscomplexobj(y) else y * 0.5
    near(ours(*x), y)
    for got, expected in zip(jax.vjp(ours, *x)[1](seed), back(seed), strict=True):
        near(got, expected)
    dx = tuple(jnp.cos(a) for a in x)
    near(jax.jvp(ours, x, dx)[1], jax.jvp(native, x, dx)[1])


@ways
def test_every_derivative_of_jax(how: str, double: Any) -> None:
    f = cr.to_jax(softplus, how=how)
    slope = 1 / (1 + np.exp(-X))
    loss = lambda x: jnp.sum(f(x) ** 2)  # noqa: E731  a program of one line
    near(jax.grad(loss)(X), 2 * softplus(X) * slope)
    for jacobian in (jax.jacfwd, jax.jacrev, lambda g: jax.jit(jax.jacfwd(g))):
        near(jacobian(f)(X), np.diag(slope))
    curvature = np.diag(2 * slope**2 + 2 * softplus(X) * slope * (1 - slope))
    for hessian in (jax.hessian(loss), jax.jacrev(jax.grad(loss)), jax.jit(jax.jacfwd(jax.jacfwd(loss)))):
        near(hessian(X), curvature)
    third = jax.grad(jax.grad(jax.grad(f)))(0.3)
    s = slope[0]
    near(third, s * (1 - s) * (1 - 2 * s))
    near(jax.grad(jax.checkpoint(loss))(X), jax.grad(loss)(X))
    near(jax.linearize(f, jnp.asarray(X))[1](jnp.ones(3)), slope)


SINGULAR = [
    (np.sqrt, (0.0,)),
    (np.log, (0.0,)),
    (np.absolute, (0.0,)),
    (np.hypot, (0.0, 0.0)),
    (np.arctan2, (0.0, 0.0)),
    (np.sinc, (0.0,)),
    (np.power, (0.0, 2.0)),
    (np.power, (0.0, 0.5)),
    (np.power, (-2.0, 3.0)),
    (np.divide, (1.0, 0.0)),
    (np.prod, (np.array([0.0, 2.0, 0.0]),)),
]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@ways
@pytest.mark.parametrize(("f", "x"), SINGULAR)
def test_singular_points_are_decided_as_ours(f: Any, x: tuple[Any, ...], how: str, double: Any) -> None:
    """In both ways the derivative is that of the rule, and a zero cotangent or tangent gives zero."""
    if f is np.prod and how == "traced":
        how = "auto"
    g, argnums = cr.to_jax(f, how=how), tuple(range(len(x)))
    for got, ours in zip(jax.grad(g, argnums)(*x), cr.grad(f, argnums)(*x), strict=True):
        near(got, ours)
    for x_bar in jax.vjp(g, *x)[1](0.0):
        near(x_bar, np.zeros_like(x_bar))
    near(jax.jvp(g, x, tuple(map(jnp.zeros_like, map(jnp.asarray, x))))[1], 0.0)


@ways
def test_loops_of_jax(how: str, double: Any) -> None:
    f = cr.to_jax(np.tanh, how=how)

    def rolled(x: Any) -> Any:
        return jax.lax.scan(lambda c, t: (f(c * t), c), x, jnp.arange(1.0, 4.0))[0]

    def unrolled(x: Any) -> Any:
        return jnp.tanh(3 * jnp.tanh(2 * jnp.tanh(x)))

    near(jax.jit(jax.grad(rolled))(0.2), jax.grad(unrolled)(0.2))
    near(jax.hessian(rolled)(0.2), jax.hessian(unrolled)(0.2))
    grown = jax.lax.while_loop(lambda s: s[1] < 3, lambda s: (f(s[0]), s[1] + 1), (0.5, 0))[0]
    near(grown, np.tanh(np.tanh(np.tanh(0.5))))


def test_a_program_of_containers(double: Any) -> None:
    f = cr.to_jax(scaled_norm)
    loss = lambda d: f(d, power=3)["norm"] + f(d)["parts"][1][0]  # noqa: E731  a program of one line
    d = {"x": X, "y": 2.0}
    for gradient in (jax.grad(loss), jax.jit(jax.grad(loss))):
        found = gradient(d)
        near(found["x"], 6 * X**2)
        near(found["y"], np.sum(X**3) + 1)
    batch = {"x": np.stack([X, X + 1]), "y": jnp.array([2.0, 3.0])}
    near(jax.vmap(jax.grad(loss))(batch)["x"], np.stack([6 * X**2, 9 * (X + 1) ** 2]))


class Counted(NamedTuple):
    """How often each cotangent of a product was computed."""

    first: list[int]
    second: list[int]


counted = Counted([], [])


def product(a: Any, b: Any) -> Any:
    return a * b


@cr.rrule(product)
def product_rrule(a: cr.Array, b: cr.Array, *, needs):
    def product_pullback(y_bar):
        a_bar: Any = cr.Zero()
        b_bar: Any = cr.Zero()
        if needs[0]:
            counted.first.append(1)
            a_bar = y_bar * b
        if needs[1]:
            counted.second.append(1)
            b_bar = y_bar * a
        return a_bar, b_bar

    return product(a, b), product_pullback


@pytest.mark.parametrize("argnums", [0, 1])
@pytest.mark.parametrize("compiled", [False, True])
def test_an_unneeded_cotangent_is_not_computed(argnums: int, compiled: bool) -> None:
    f = cr.to_jax(product)
    gradient = jax.grad(lambda a, b: jnp.sum(f(a, b)), argnums)
    gradient = jax.jit(gradient) if compiled else gradient
    counted.first.clear()
    counted.second.clear()
    jax.block_until_ready(gradient(jnp.ones(3), jnp.ones(3)))
    assert (len(counted.first), len(counted.second)) == ((1, 0) if argnums == 0 else (0, 1))


def test_a_zero_cotangent_is_not_pulled_back() -> None:
    """Of several outputs only one is used: the others' seeds are zeros, not arrays of zeros."""
    seen: list[Any] = []

    def pair(x: Any) -> Any:
        return x * 2.0, x * 3.0

    @cr.rrule(pair)
    def pair_rrule(x: cr.Array):
        def pair_pullback(y_bar):
            seen.append(tuple(y_bar))
            return cr.add(2.0 * y_bar[0], 3.0 * y_bar[1])

        return pair(x), pair_pullback

    near(jax.grad(lambda x: cr.to_jax(pair)(x)[1])(1.0), 3.0)
    assert seen[0][0] is cr.Zero()


def test_effects_are_refused(double: Any) -> None:
    seen, x = [0.0], jnp.array([1.0, 2.0, 3.0])

    def loss(w: Any, seen: Any) -> Any:
        seen[0] += 1.0
        return (w - seen[0]) ** 2

    held, given, squares = cr.to_jax(lambda w: loss(w, seen)), cr.to_jax(loss), cr.to_jax(squared_in_place)
    for f in (held, lambda w: given(w, seen), squares):
        for doing in (f, jax.jit(f), jax.grad(lambda w, f=f: jnp.sum(f(w)))):
            with pytest.raises(cr.AliasedMutationError, match=r"JAX keeps no such effects(.|\n)*next: "):
                doing(x)
    assert seen == [0.0]


@ways
def test_single_precision_stays(how: str) -> None:
    f = cr.to_jax(np.multiply, how=how)
    x = jnp.arange(3, dtype=jnp.float32)
    y, back = jax.vjp(f, x, 2.5)
    assert y.dtype == back(y)[0].dtype == jnp.float32
    near(back(y)[0], 2.5 * y, 1e-6)


def test_a_number_does_not_widen_an_array(double: Any) -> None:
    for how in ("traced", "callback"):
        assert cr.to_jax(np.multiply, how=how)(jnp.ones(2, jnp.float32), 2.5).dtype == jnp.float32


@ways
def test_integers_and_truth_values_have_no_tangent(how: str, double: Any) -> None:
    f = cr.to_jax(np.power, how=how)
    powers = jnp.array([2, 3, 1])
    x_bar, p_bar = jax.vjp(f, X, powers)[1](jnp.ones(3))
    near(x_bar, powers * X ** (powers - 1))
    assert p_bar.dtype == jax.dtypes.float0
    dp = np.zeros(3, jax.dtypes.float0)
    near(jax.jvp(f, (X, powers), (jnp.ones(3), dp))[1], x_bar)
    chosen = cr.to_jax(np.where, how=how)
    near(jax.grad(lambda a: jnp.sum(chosen(X > 0, a, 0.0)))(X), X > 0)
    largest = cr.to_jax(np.argmax, how="callback")
    assert jax.jit(largest)(X) == 2


def test_keywords() -> None:
    total = cr.to_jax(np.sum)
    x = jnp.ones((2, 3))
    assert jax.jit(lambda x: total(x, axis=0))(x).shape == (3,)
    assert jax.jit(lambda x: total(x, axis=1, keepdims=True))(x).shape == (2, 1)
    clipped = cr.to_jax(lambda x, *, low: np.maximum(x, low))
    near(
        jax.grad(lambda low: jnp.sum(clipped(jnp.array([1.0, 3.0]), low=low)))(jnp.array([2.0, 2.0])), [1, 0]
    )


def test_which_way_a_call_goes() -> None:
    def way(f: Any, x: Any, **options: Any) -> str:
        adapted: Any = cr.to_jax(f, **options)
        return str(adapted.explain(x))

    assert way(np.tanh, X) == "traced"
    assert way(np.sort, X).startswith("callback: <function sort")
    assert "raises where there is no answer" in way(np.linalg.inv, np.eye(2))
    assert way(np.linalg.inv, np.eye(2), how="traced") == "traced"
    assert way(np.tanh, X, how="callback") == "callback: it was asked for"


def ramp(x: Any) -> Any:
    """max(x, 0), by a decision about a number."""
    return x if x > 0 else 0.0 * x


cr.scalar_rule(ramp, lambda y, x: 1.0 if x > 0 else 0.0)


def test_a_rule_that_decides_by_values_is_not_traced() -> None:
    f = cr.to_jax(ramp)
    for gradient in (jax.grad(f), jax.jit(jax.grad(f))):
        assert (gradient(2.0), gradient(-2.0)) == (1.0, 0.0)
    near(jax.vmap(jax.grad(f))(jnp.array([2.0, -2.0])), [1.0, 0.0])


def test_a_batch_of_what_broadcasts_is_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    f = cr.to_jax(np.linalg.inv)
    stack = np.stack([np.eye(2) * k for k in (1.0, 2.0, 4.0)])
    monkeypatch.delattr(Batch, "one_by_one")
    near(jax.vmap(f)(stack), np.linalg.inv(stack), 1e-6)
    near(jax.vmap(jax.grad(lambda a: jnp.sum(f(a))))(stack)[2], -np.ones((2, 2)) / 16, 1e-6)
    with pytest.raises(AttributeError, match="one_by_one"):
        jax.vmap(cr.to_jax(np.sort))(stack)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_rule_runs_once_for_value_and_gradient(compiled: bool, double: Any) -> None:
    calls: list[int] = []

    def costly(x: Any) -> Any:
        return x**3

    @cr.rrule(costly)
    def costly_rrule(x: cr.Array):
        calls.append(1)
        return x**3, lambda y_bar: 3 * x**2 * y_bar

    gradient = jax.grad(lambda x: jnp.sum(cr.to_jax(costly)(x) ** 2))
    gradient = jax.jit(gradient) if compiled else gradient
    for point in (X, X + 1, X):
        calls.clear()
        near(gradient(point), 6 * point**5)
        assert len(calls) == 1


def first_positive(x: Any) -> Any:
    return x[x > 0.5]


def test_refusals() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="how"):
        cr.to_jax(np.sin, how="fast")
    with pytest.raises(cr.UnsupportedArgument, match="cannot be traced"):
        cr.to_jax(np.sort, how="traced")(X)
    with pytest.raises(cr.UnsupportedArgument, match="bfloat16"):
        cr.to_jax(np.sin)(jnp.ones(2, jnp.bfloat16))
    f = cr.to_jax(first_positive)
    assert f(X).shape == (1,)
    with pytest.raises(cr.ShapeMismatch, match="depends on values"):
        f(np.array([1.0, 2.0, 3.0]))
    with pytest.raises(cr.ChainRulesError, match="say it: to_jax"):
        jax.jit(cr.to_jax(np.linalg.solve))(jnp.ones((2, 2)), jnp.ones(3))


@pytest.mark.parametrize(
    "f", [lambda x: (x, int(np.sum(x))), lambda x: {"larger" if x[0] > 1 else "smaller": x}, first_positive]
)
def test_what_is_no_array_is_not_taken_from_another_call(f: Any) -> None:
    adapted = cr.to_jax(f)
    adapted(X)
    with pytest.raises(cr.ShapeMismatch):
        adapted(X + 2.0)


def test_a_constant_list_that_changes_later_is_another_constant(double: Any) -> None:
    taken = cr.to_jax(lambda x, i, *, by: x[i] * by[0])
    places, by = [0, 1], [2.0]
    near(taken(X, places, by=by), X[:2] * 2.0)
    places[0], by[0] = 2, 3.0
    near(taken(X, [0, 1], by=[2.0]), X[:2] * 2.0)
    near(taken(X, places, by=by), X[[2, 1]] * 3.0)


FACTOR = 2.0


def times_a_global(x: Any) -> Any:
    return FACTOR * x


cr.scalar_rule(times_a_global, lambda y, x: FACTOR, signature="x")


def test_names_that_a_traced_rule_reads_are_followed(monkeypatch: pytest.MonkeyPatch, double: Any) -> None:
    f: Any = cr.to_jax(times_a_global)
    for factor in (2.0, 3.0):
        monkeypatch.setitem(globals(), "FACTOR", factor)
        assert f.explain(X) == "traced"
        near(f(X), factor * X)
        near(jax.grad(lambda x: jnp.sum(f(x)))(X), factor * np.ones(3))


def test_a_value_may_be_declared() -> None:
    f = cr.to_jax(lambda x: np.linalg.solve(x, x), value=jax.ShapeDtypeStruct((2, 2), np.float32))
    near(jax.jit(f)(2 * jnp.eye(2)), np.eye(2))


def test_a_gap_is_refused_by_name() -> None:
    """A function with a reverse rule alone: forward mode says so, and gives no zero."""
    with pytest.raises(cr.NoRuleError):
        jax.jvp(cr.to_jax(gapped), (1.0,), (1.0,))
    near(jax.grad(cr.to_jax(gapped))(1.0), 2.0)


gapped = np.frompyfunc(lambda x: 2.0 * float(x), 1, 1)
cr.reverse_only(gapped, why="to see what an adapter does")


@cr.rrule(gapped, signature="x, /")
def gapped_rrule(x: float):
    return gapped(x), lambda y_bar: 2.0 * y_bar
