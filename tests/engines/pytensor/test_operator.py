"""`to_pytensor`: orders and modes against PyTensor's own operations, and a log density."""

from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.gradient import hessian
from scipy import special
from tests.engines.adapted import counted, same, squared_in_place
from tests.engines.pytensor.names import pushforward

import chainrules as cr

A_VALUE = np.array([[2.0, 0.3, 0.1], [0.1, 1.0, 0.2], [0.3, -0.2, 1.5]])
B_VALUE = np.array([1.0, 2.0, -0.5])
A, b = pt.matrix("A"), pt.vector("b")

solve, sines, svd, order = (cr.to_pytensor(f) for f in (np.linalg.solve, np.sin, np.linalg.svd, np.argsort))


def run(outputs, mode="FAST_COMPILE"):
    return pytensor.function([A, b], outputs, mode=mode, on_unused_input="ignore")(A_VALUE, B_VALUE)


def all_same(u, v):
    for one, other in zip(u, v, strict=True):
        same(one, other)


OURS, OWN = (sines(solve(A, b)) ** 2).sum(), (pt.sin(pt.linalg.solve(A, b)) ** 2).sum()


@pytest.mark.parametrize("mode", ["FAST_COMPILE", "FAST_RUN", "NUMBA"])
def test_modes_of_compilation(mode):
    all_same(run([OURS, *pytensor.grad(OURS, [A, b])], mode), run([OWN, *pytensor.grad(OWN, [A, b])]))


def test_forward_and_second_order():
    all_same(run([hessian(OURS, b)]), run([hessian(OWN, b)]))
    moved = [pushforward(y, b, b, use_op_pushforward=True) for y in (OURS, pytensor.grad(OURS, b))]
    all_same(run(moved), run([pushforward(y, b, b) for y in (OWN, pytensor.grad(OWN, b))]))
    moved = pytensor.grad(pushforward(OURS, b, pt.as_tensor(B_VALUE), use_op_pushforward=True), b)
    all_same(run([moved]), run([hessian(OWN, b) @ B_VALUE]))


def test_several_outputs_structures_and_integers():
    u, s, vh = svd(A, full_matrices=False)
    total = (s**3).sum() + u[0, 0] * vh[0, 0]
    own = pt.linalg.svd(A, full_matrices=False)
    wanted = (own[1] ** 3).sum() + own[0][0, 0] * own[2][0, 0]
    all_same(run([total, pytensor.grad(total, A)]), run([wanted, pytensor.grad(wanted, A)]))

    mixed = cr.to_pytensor(lambda d, n: {"y": d["a"] ** n, "parts": [d["a"].sum(), "name"]})({"a": b}, 2)
    assert mixed["parts"][1] == "name"
    y = (mixed["y"] * order(b)).sum() + mixed["parts"][0]
    all_same(run([pytensor.grad(y, b)]), [2 * B_VALUE * np.argsort(B_VALUE) + 1])


def test_what_is_not_used_is_not_computed():
    scaled, asked = counted()
    f = cr.to_pytensor(scaled)
    x = pt.vector("x")
    y = f(x, b)
    compiled = pytensor.function([x, b], pytensor.grad(y.sum(), b), mode="FAST_COMPILE")
    same(compiled(B_VALUE, B_VALUE), B_VALUE)
    assert asked == [(False, True)]
    both = pytensor.function([x, b], pytensor.grad(y.sum(), [x, b]), mode="FAST_COMPILE")
    all_same(both(B_VALUE, B_VALUE), [B_VALUE, B_VALUE])
    assert asked[1:] == [(True, True)]


def test_effects_are_refused():
    seen = []

    def noting(x):
        seen.append(1)
        return x * 2.0

    for f in (squared_in_place, noting):
        with pytest.raises(cr.AliasedMutationError, match=r"PyTensor keeps no such effects(.|\n)*next: "):
            cr.to_pytensor(f)(b)
    assert not seen


@pytest.mark.parametrize("mode", ["FAST_COMPILE", "FAST_RUN"])
def test_a_function_runs_once_for_value_and_gradient(mode):
    runs = []

    def cubes(x):
        return x**3

    @cr.rrule(cubes)
    def cubes_rrule(x: np.ndarray):
        runs.append(1)
        kept = x.view()  # not a copy: what the graph writes in place would be seen here
        return x**3, lambda y_bar: 3 * kept**2 * y_bar

    x = pt.exp(b)
    y = cr.to_pytensor(cubes)(x)
    total = (y**2).sum() + (x * 2).sum() + (y * 3).sum()
    compiled = pytensor.function([b], [y, pytensor.grad(total, b)], mode=mode)
    for at in (B_VALUE, B_VALUE + 1):
        runs.clear()
        cube = np.exp(3 * at)
        all_same(compiled(at), [cube, 6 * cube**2 + 2 * np.exp(at) + 9 * cube])
        assert len(runs) == 1


def test_a_pullback_of_another_run_is_never_taken():
    y = cr.to_pytensor(np.square)(b)
    compiled = pytensor.function([b], pytensor.grad((y**2).sum(), b), mode="FAST_COMPILE")
    keeping, pull = (
        next(n for n in compiled.maker.fgraph.apply_nodes if type(n.op).__name__ == name)
        for name in ("Keeping", "KeptPull")
    )
    runs: list[tuple[Any, list[Any]]] = [(x, [None]) for x in (B_VALUE, B_VALUE + 1)]
    for x, cell in runs:
        keeping.op.perform(keeping, [x], [cell])
    for x, (value,) in runs:  # the first is not the newest any more
        for seen in (value, value.view(), value.copy()):
            x_bar = [None]
            pull.op.perform(pull, [np.ones(3), x, seen], [x_bar])
            all_same(x_bar, [2 * x])


def test_shapes():
    compiled = pytensor.function([b], pytensor.grad(sines(b).sum(), b).shape, mode="FAST_RUN")
    assert not any(str(node.op).startswith("numpy.sin") for node in compiled.maker.fgraph.apply_nodes)
    assert compiled(B_VALUE) == [3]
    fixed = pt.tensor("fixed", shape=(4, 3))
    assert cr.to_pytensor(np.sum)(fixed, axis=0).type.shape == (3,)
    assert cr.to_pytensor(np.matmul)(fixed, pt.matrix()).type.shape == (None, None)


def test_the_value_can_be_told_beforehand():
    def cut(x):
        return x[:5] if len(x) > 4 else int(x[99])

    with pytest.raises(cr.UnsupportedArgument, match="cannot be told"):
        cr.to_pytensor(cut)(b)
    y = cr.to_pytensor(cut, value=np.zeros(5))(b)
    all_same([y.eval({b: np.arange(6.0)})], [np.arange(5.0)])


def test_refusals():
    with pytest.raises(cr.UnsupportedArgument, match="give it by position"):
        cr.to_pytensor(np.sum)(b, where=b)
    positive = cr.to_pytensor(lambda x: x > 0, value=np.zeros(1))(b)
    with pytest.raises(cr.ShapeMismatch, match="when the graph was made"):
        pytensor.function([b], positive, mode="FAST_COMPILE")(B_VALUE)


def test_complex_numbers_are_refused():
    z = pt.zvector("z")
    with pytest.raises(cr.NotDifferentiableError, match="real and imaginary part"):
        pytensor.grad(cr.to_pytensor(np.abs)(z).sum(), z)


def test_a_log_density():
    """Of a gamma distribution, whose normalisation is SciPy's, in logarithmic parameters."""

    def log_gamma(x):
        return special.gammaln(x)

    @cr.rrule(log_gamma)
    def log_gamma_rrule(x: cr.Array):
        return log_gamma(x), lambda y_bar: y_bar * special.digamma(x)

    @cr.frule(log_gamma)
    def log_gamma_frule(tangents, x: cr.Array):
        return log_gamma(x), tangents[0] * special.digamma(x)

    data = np.array([0.5, 1.2, 3.1, 0.9])
    theta = pt.vector("theta")

    def density(gammaln):
        alpha, beta = pt.exp(theta[0]), pt.exp(theta[1])
        each = alpha * pt.log(beta) - gammaln(alpha) + (alpha - 1) * pt.log(data) - beta * data
        return each.sum() - 0.5 * (theta**2).sum()

    at = np.array([0.3, -0.2])
    found, wanted = (
        pytensor.function([theta], [y, pytensor.grad(y, theta)], mode="FAST_COMPILE")(at)  # SciPy's digamma
        for y in (density(cr.to_pytensor(log_gamma)), density(pt.gammaln))
    )
    all_same(found, wanted)


def test_what_pytensor_writes_into_is_no_array_that_the_function_keeps():
    table = np.array([1.0, 1.0, 1.0])
    y = pt.exp(cr.to_pytensor(lambda x: table if x[0] > 0 else x)(b) * 2 + 1)
    f = pytensor.function([b], [y, pytensor.grad(y.sum(), b)], mode="FAST_RUN")
    for _ in range(2):
        all_same(f(B_VALUE), [np.exp(3.0) * np.ones(3), np.zeros(3)])


def test_what_is_no_array_is_not_taken_from_made_up_numbers():
    with pytest.raises(cr.ShapeMismatch, match="may depend on values"):
        cr.to_pytensor(lambda x: (x * 2, int(np.sum(x))))(b)
