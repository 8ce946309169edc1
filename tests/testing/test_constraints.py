"""Constrained inputs: tangents stay in the constraint, rules that hold only there pass, wrong ones do not."""

import numpy as np
import pytest

from chainrules.core import rrule
from chainrules.testing import check_rrule, constrained, random_tangent
from chainrules.testing.constraints import CONSTRAINTS, ConstraintError

RNG = np.random.default_rng(0)
A = RNG.normal(size=(3, 3))
C = A + 1j * RNG.normal(size=(3, 3))
S = A + A.T
INPUTS = {
    "symmetric": S,
    "hermitian": C + C.conj().T,
    "positive definite": A @ A.T + np.eye(3),
    "orthogonal": np.linalg.qr(A)[0],
    "unitary": np.linalg.qr(C)[0],
    "lower triangular": np.tril(A),
    "upper triangular": np.triu(A),
    "probability": np.array([0.2, 0.3, 0.5]),
    "sorted": np.array([-1.0, 0.3, 0.9]),
    "off ties": np.array([0.4, -1.0, 2.0]),
    "off integers": np.array([0.4, -1.2, 2.5]),
    "distinct eigenvalues": A,
}
OUTSIDE = {
    "probability": A[0],
    "sorted": np.array([1.0, 0.0]),
    "off ties": np.ones(2),
    "off integers": np.ones(2),
}


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_a_step_along_a_tangent_stays_in_the_constraint_to_second_order(name, monkeypatch):
    x = INPUTS[name]
    argument = constrained(x, name)
    assert argument.within is not None
    dx = argument.within(random_tangent(x, RNG))
    assert np.any(dx)
    monkeypatch.setattr(np, "allclose", lambda a, b: np.max(np.abs(a - b)) < 1e-10)
    assert np.all(CONSTRAINTS[name].holds(x + 1e-6 * dx))


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_an_input_outside_is_refused(name):
    outside = np.eye(3) if name == "distinct eigenvalues" else OUTSIDE.get(name, C)
    with pytest.raises(ConstraintError, match=name):
        constrained(outside, name)


def test_a_constraint_that_does_not_exist():
    with pytest.raises(ConstraintError, match="positive definite"):
        constrained(np.eye(2), "round")


def test_a_rule_that_holds_for_symmetric_matrices_alone():
    def trace_of_square(a):
        return np.sum(a * a)

    @rrule(trace_of_square)
    def trace_rrule(a: np.ndarray):
        return trace_of_square(a), lambda y_bar: 2 * y_bar * a.T

    check_rrule(trace_of_square, constrained(S, "symmetric"))
    with pytest.raises(AssertionError, match="reverse against differences"):
        check_rrule(trace_of_square, np.triu(A))


def test_a_wrong_rule_inside_the_constraint_is_caught():
    def entropy(p):
        return -np.sum(p * np.log(p))

    @rrule(entropy)
    def entropy_rrule(p: np.ndarray):  # short of a constant, which probabilities do not see, and of a factor
        return entropy(p), lambda y_bar: -1.01 * y_bar * np.log(p)

    with pytest.raises(AssertionError, match="reverse against differences"):
        check_rrule(entropy, constrained(INPUTS["probability"], "probability"))
