"""Jacobians by rows, columns and in forward mode; Hessians; products; what comes back; what is refused."""

import numpy as np
import pytest

import chainrules as cr

MODES = ("auto", "fwd", "rev")
X = np.array([0.1, 0.2, 0.3])
A = np.arange(6.0).reshape(2, 3)


def differences(f, x, step=1e-6):
    """The Jacobian of f by central differences, of arrays."""
    columns = []
    for k in range(x.size):
        e = np.zeros(x.size)
        e[k] = step
        e = e.reshape(x.shape)
        columns.append((np.asarray(f(x + e)) - np.asarray(f(x - e))) / (2 * step))
    stacked = np.stack(columns, axis=-1)
    return stacked.reshape(stacked.shape[:-1] + x.shape)


PROGRAMS = {
    "wide": lambda x: np.sin(A @ x),
    "tall": lambda x: np.outer(x, x) * x[0],
    "scalar value": lambda x: np.sum(x**3),
    "complex value": lambda x: x * x * 1j + x,
    "matrix argument": lambda x: (np.outer(x, x) @ np.outer(x, x))[0],
}


@pytest.mark.parametrize("jac_mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_mode_agrees_with_differences(name, jac_mode):
    made = cr.jacobian(PROGRAMS[name], jac_mode=jac_mode)(X)
    np.testing.assert_allclose(made, differences(PROGRAMS[name], X), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("jac_mode", MODES)
def test_shapes_are_those_of_the_value_and_the_argument(jac_mode):
    made = cr.jacobian(lambda a, b: a[:, :1] * b, argnums=(1, 0), jac_mode=jac_mode)(A, np.ones(4))
    assert [m.shape for m in made] == [(2, 4, 4), (2, 4, 2, 3)]
    assert type(cr.jacobian(lambda x: x * x, jac_mode=jac_mode)(3.0)) is float
    assert cr.jacobian(lambda x: np.array([x, x * x]), jac_mode=jac_mode)(3.0).tolist() == [1.0, 6.0]
    assert cr.jacobian(lambda x: x[:0], jac_mode=jac_mode)(X).shape == (0, 3)
    assert cr.jacobian(lambda x: x * x, jac_mode=jac_mode)(X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize("jac_mode", MODES)
def test_structures_have_blocks(jac_mode):
    made = cr.jacobian(lambda p: (p["a"] * p["b"][0], p["a"].sum()), jac_mode=jac_mode)(
        {"a": X, "b": [2.0], "c": "text"}
    )
    np.testing.assert_array_equal(made[0]["a"], 2 * np.eye(3))
    np.testing.assert_array_equal(made[0]["b"][0], X)
    np.testing.assert_array_equal(made[1]["a"], np.ones(3))
    assert made[1]["b"][0] == 0.0


@pytest.mark.parametrize("jac_mode", MODES)
def test_auxiliary_values(jac_mode):
    made, aux = cr.jacobian(lambda x: (x * x, {"n": x[0]}), jac_mode=jac_mode, has_aux=True)(X)
    np.testing.assert_allclose(made, np.diag(2 * X))
    assert aux == {"n": 0.1}


def test_effects_are_those_of_one_run():
    effects = []

    def f(x):
        effects.append(0)
        RUNS.append(0)
        return np.outer(x, x)

    for jac_mode in ("auto", "rev", "fwd"):
        effects.clear()
        RUNS.clear()
        cr.jacobian(f, jac_mode=jac_mode)(X)
        assert (len(effects), len(RUNS)) == (1, 1), jac_mode


RUNS: list[int] = []


def test_forward_mode_refuses_values_that_change():
    with pytest.raises(cr.NotDifferentiableError, match="two different values"):
        cr.jacobian(lambda x: x * np.random.normal(), jac_mode="fwd")(X)


def test_forward_mode_copies_a_random_generator_for_each_column():
    random, same = np.random.default_rng(0), np.random.default_rng(0)
    found = cr.jacobian(lambda x: x * random.normal(), jac_mode="fwd")(X)
    np.testing.assert_allclose(found, np.eye(3) * same.normal())
    assert random.normal() == same.normal()


def cubes(x):
    s = 0.0
    for i in range(3):
        s = s + x[i] ** 3 * (s + 1) + x[0] * x[i]
    return s


def test_hessians():
    np.testing.assert_allclose(cr.hessian(cubes)(X), differences(cr.grad(cubes), X), rtol=1e-6, atol=1e-8)
    assert cr.hessian(lambda a, b: a * b * b, argnums=(0, 1))(2.0, 3.0) == ((0.0, 6.0), (6.0, 4.0))
    mixed = cr.hessian(lambda a, b: np.sum(a) * b[0] ** 2, argnums=(0, 1))(X, np.ones(2))
    assert [[m.shape for m in row] for row in mixed] == [[(3, 3), (3, 2)], [(2, 3), (2, 2)]]
    np.testing.assert_array_equal(mixed[0][1], [[2.0, 0.0]] * 3)
    made = cr.hessian(lambda p: p["a"] ** 2 * p["b"])({"a": 2.0, "b": 3.0})
    assert (made["a"]["a"], made["a"]["b"], made["b"]["b"]) == (6.0, 4.0, 0.0)


def test_hessian_vector_products():
    v = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(cr.hvp(cubes, X, v), cr.hessian(cubes)(X) @ v, rtol=1e-12)
    product = cr.hvp(lambda p, k: k * p["a"] ** 2 * p["b"], {"a": 2.0, "b": 3.0}, {"a": 1.0, "b": 0.0}, k=2.0)
    assert (product["a"], product["b"]) == (12.0, 8.0)


@pytest.mark.parametrize("outer", MODES)
@pytest.mark.parametrize("inner", MODES)
def test_jacobians_nest(inner, outer):
    made = cr.jacobian(cr.jacobian(lambda x: x**3, jac_mode=inner), jac_mode=outer)(X)
    expected = np.zeros((3, 3, 3))
    expected[range(3), range(3), range(3)] = 6 * X
    np.testing.assert_allclose(made, expected)


def test_operators_of_operators():
    ones = np.ones(3)
    np.testing.assert_allclose(cr.grad(lambda x: np.sum(cr.jacobian(np.sin)(x)))(X), -np.sin(X))
    np.testing.assert_allclose(cr.jvp(cr.jacobian(lambda x: x**3), (X,), (ones,))[1], np.diag(6 * X))
    of_hessian = cr.grad(lambda x: np.sum(cr.hessian(lambda z: np.sum(z**4))(x)))
    np.testing.assert_allclose(of_hessian(X), 24 * X)
    of_product = cr.grad(lambda x: np.sum(cr.hvp(lambda z: np.sum(z**4), x, ones)))
    np.testing.assert_allclose(of_product(X), 24 * X)
    fourth = cr.hessian(lambda x: np.sum(cr.hessian(lambda z: np.sum(z**5))(x)))(X)
    np.testing.assert_allclose(fourth, np.diag(120 * X))


@pytest.mark.parametrize("argnums", ["a", 1.0, True, None, (0, "b"), (0, 1.0)])
@pytest.mark.parametrize("operator", [cr.grad, cr.value_and_grad, cr.jacobian, cr.hessian])
def test_argnums_that_are_no_positions(operator, argnums):
    with pytest.raises(cr.UnsupportedArgument, match=r"argnums=(.|\n)*counted from 0(.|\n)*next: "):
        operator(lambda x: x, argnums)(2.0)


@pytest.mark.parametrize(
    ("f", "x", "said"),
    [
        (lambda x: x * x, X * 1j, "not one complex array"),
        (lambda d: np.abs(d["a"]) ** 2, {"a": X * 1j}, "not one complex array"),
        (lambda x: "text", X, "returned str"),
        (lambda x: x, "text", "argument 0"),
    ],
)
def test_what_has_no_jacobian(f, x, said):
    with pytest.raises(cr.NotDifferentiableError, match=rf"{said}(.|\n)*next: "):
        cr.jacobian(f)(x)


def test_unknown_modes():
    with pytest.raises(cr.UnsupportedArgument, match="jac_mode='sideways'"):
        cr.jacobian(np.sin, jac_mode="sideways")


def test_forward_and_reverse_jacobians_have_the_names_of_other_libraries():
    wide, tall = PROGRAMS["wide"], PROGRAMS["tall"]
    for f in (wide, tall):
        np.testing.assert_allclose(cr.jacfwd(f)(X), differences(f, X), rtol=1e-6, atol=1e-8)
        np.testing.assert_allclose(cr.jacrev(f)(X), differences(f, X), rtol=1e-6, atol=1e-8)
    hessian = cr.jacfwd(cr.jacrev(lambda x: np.sum(x**3)))(X)
    np.testing.assert_allclose(hessian, np.diag(6 * X), rtol=1e-12)


@pytest.mark.parametrize("jac_mode", MODES)
def test_value_and_jacobian_run_f_once_in_reverse(jac_mode):
    runs = []

    def f(x):
        runs.append(1)
        return np.sin(A @ x)

    value, made = cr.value_and_jacobian(f, jac_mode=jac_mode)(X)
    np.testing.assert_allclose(value, np.sin(A @ X))
    np.testing.assert_allclose(made, np.cos(A @ X)[:, None] * A)
    assert jac_mode == "fwd" or len(runs) == 1
    (value, aux), made = cr.value_and_jacobian(lambda x: (x * x, "kept"), has_aux=True, jac_mode=jac_mode)(
        3.0
    )
    assert (value, aux, made) == (9.0, "kept", 6.0)


def test_products_with_the_hessian_by_several_arguments():
    def f(a, b, c):
        return np.sum(a * a * b) * c

    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    da, db = np.array([0.5, -1.0]), np.array([2.0, 0.25])
    by_a, by_b = cr.hvp(f, (a, b, 2.0), (da, db), argnums=(0, 1))
    np.testing.assert_allclose(by_a, 2 * (2 * b * da + 2 * a * db))
    np.testing.assert_allclose(by_b, 2 * (2 * a * da))
    np.testing.assert_allclose(cr.hvp(f, (a, b, 2.0), db, argnums=1), np.zeros(2))
    np.testing.assert_allclose(cr.hvp(f, (a, b, 2.0), da, argnums=0), 2 * 2 * b * da)
    with pytest.raises(cr.ShapeMismatch, match="by 2 arguments was given 1 vectors"):
        cr.hvp(f, (a, b, 2.0), (da,), argnums=(0, 1))


def test_derivatives_entry_by_entry():
    x = np.array([[0.1, 0.2], [0.3, 0.4]])
    np.testing.assert_allclose(cr.elementwise_grad(np.tanh)(x), 1 - np.tanh(x) ** 2)
    np.testing.assert_allclose(cr.elementwise_grad(cr.elementwise_grad(lambda x: x**3))(x), 6 * x)
    np.testing.assert_allclose(cr.elementwise_grad(lambda k, x: k * x, 1)(3.0, x), np.full((2, 2), 3.0))
    assert cr.elementwise_grad(lambda x: x * x)(3.0) == 6.0
    assert cr.elementwise_grad(lambda x: x * x)(x.astype(np.float32)).dtype == np.float32
    assert cr.elementwise_grad(lambda x: x * x)(np.zeros((0, 2))).shape == (0, 2)


def test_what_is_not_entry_by_entry_is_refused():
    with pytest.raises(cr.NotDifferentiableError, match="mixes the entries"):
        cr.elementwise_grad(lambda x: x * np.sum(x))(X)
    with pytest.raises(cr.NotDifferentiableError, match="mixes the entries"):
        cr.elementwise_grad(lambda x: x[::-1] * 2.0)(X)
    with pytest.raises(cr.NotDifferentiableError, match="is not defined"):
        cr.elementwise_grad(np.sum)(X)
    with pytest.raises(cr.NotDifferentiableError, match="is not defined"):
        cr.elementwise_grad(lambda x: x * 1j)(X)
