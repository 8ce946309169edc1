"""Linear systems by their products alone: what comes out is a solution, or nothing comes out."""

from typing import Any

import numpy as np
import pytest

from chainrules.core.iterations import by_conjugate_gradients, by_conjugate_residuals

N = 30
G = np.random.default_rng(7)
NOISE = G.normal(size=(N, N))
POSITIVE = NOISE @ NOISE.T / N + 2 * np.eye(N)
SKEWED = 3 * np.eye(N) + NOISE / np.sqrt(N)
SIGNED = np.diag(np.where(np.arange(N) % 2, -1.0, 2.0))
SINGULAR = np.diag([*np.ones(N - 1), 0.0])
B = G.normal(size=N)


@pytest.mark.parametrize("solve", [by_conjugate_gradients, by_conjugate_residuals])
@pytest.mark.parametrize("b", [B, np.zeros(N), np.eye(N)[3], B * 1e100])
def test_a_positive_matrix(solve: Any, b: np.ndarray) -> None:
    given = b.copy()
    np.testing.assert_allclose(solve(lambda w: POSITIVE @ w, b), np.linalg.solve(POSITIVE, b), rtol=1e-9)
    np.testing.assert_array_equal(b, given)


@pytest.mark.parametrize("matrix", [SKEWED, SKEWED.T, SIGNED + NOISE / 20])
def test_any_matrix(matrix: np.ndarray) -> None:
    w = by_conjugate_residuals(lambda v: matrix @ v, B)
    np.testing.assert_allclose(w, np.linalg.solve(matrix, B), rtol=1e-8)


@pytest.mark.parametrize("matrix", [-POSITIVE, SIGNED, SINGULAR, np.full((N, N), np.nan), np.zeros((N, N))])
def test_what_is_not_positive(matrix: np.ndarray) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        assert by_conjugate_gradients(lambda v: matrix @ v, B) is None


@pytest.mark.parametrize("matrix", [NOISE - NOISE.T, SINGULAR, np.full((N, N), np.nan), np.zeros((N, N))])
def test_what_leads_nowhere(matrix: np.ndarray) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        assert by_conjugate_residuals(lambda v: matrix @ v, B) is None


@pytest.mark.parametrize("solve", [by_conjugate_gradients, by_conjugate_residuals])
def test_the_memory_of_what_is_given_may_be_given_back(solve: Any) -> None:
    given = B.copy()
    np.testing.assert_allclose(solve(lambda w: w, given), B, rtol=1e-15)
    np.testing.assert_array_equal(given, B)
