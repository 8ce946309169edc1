"""A QR factorisation kept as LAPACK returns it, differentiated by its properties and by its fields at once.

`dgeqrf` gives no Q: it stores R in the upper triangle of `factors`, below it the vectors v of the
reflections H = I − τ v vᵀ (whose first entry, 1, is not stored), and their τ apart. Q = H₁ H₂ … is a
property. A program may use all four, so the tangent of a `CompactQR` may name Q and R, or factors and
tau, or some of each, and two such tangents add: the sum is formal until `canonicalize` brings it to the
fields, with the converter below. Forward and reverse follow the reflections one by one.

Real double precision only. Where a column is zero below the diagonal LAPACK's choice of the sign
jumps, so that nothing has a derivative there: refused, except in the last row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg.lapack import dgeqrf, dorgqr

import chainrules as cr

Matrix = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class CompactQR:
    """A = Q R, in the form of `dgeqrf`: factors is like A, tau has one entry for each reflection."""

    factors: Matrix
    tau: Matrix

    @property
    def Q(self) -> Matrix:  # noqa: N802  # a matrix, as in the papers
        """The orthonormal factor, (m, min(m, n))."""
        orthonormal: Matrix = dorgqr(self.factors[:, : len(self.tau)], self.tau)[0]
        return orthonormal

    @property
    def R(self) -> Matrix:  # noqa: N802  # a matrix, as in the papers
        """The upper triangle, (min(m, n), n)."""
        return np.triu(self.factors[: len(self.tau)])


def compact_qr(A: Matrix) -> CompactQR:
    """The QR factorisation of a matrix, as LAPACK keeps it."""
    if A.dtype != np.float64 or A.ndim != 2:
        raise cr.UnsupportedArgument(compact_qr, "A", A.dtype, supported=["a matrix of float64"])
    factors, tau, _, _ = dgeqrf(A)
    return CompactQR(factors, tau)


def reflections(qr: CompactQR) -> Iterator[tuple[int, Matrix, float]]:
    """For each reflection: the row and column that it starts from, v from there on, and τ."""
    for j, tau in enumerate(qr.tau):
        v = qr.factors[j:, j].copy()
        v[0] = 1.0
        if tau == 0 and len(v) > 1:
            raise cr.ChainRulesError(
                f"column {j} is zero below the diagonal, where its reflection jumps: no derivative exists",
                next="factorise with numpy.linalg.qr and differentiate Q and R",
            )
        yield j, v, float(tau)


@cr.frule(compact_qr)
def compact_qr_frule(tangents: Any, A: np.ndarray) -> Any:
    """β² = x·x   τ = 1 − α/β   v = x/(α − β) below the first, for x = (α, …) the column; the rest ← H rest"""
    (dA,) = tangents
    qr = compact_qr(A)
    S, dS, dtau = A.copy(), cr.materialize(dA, like=A).copy(), np.zeros_like(qr.tau)
    for j, v, tau in reflections(qr):
        x, dx, beta = S[j:, j], dS[j:, j].copy(), qr.factors[j, j]
        dbeta, dv = x @ dx / beta, np.zeros_like(v)
        if tau:
            dv[1:] = (dx[1:] - v[1:] * (dx[0] - dbeta)) / (x[0] - beta)
            dtau[j] = (x[0] * dbeta / beta - dx[0]) / beta
        rest, drest = S[j:, j + 1 :], dS[j:, j + 1 :]
        w, dw = v @ rest, dv @ rest + v @ drest
        dS[j:, j + 1 :] -= np.outer(dtau[j] * v + tau * dv, w) + tau * np.outer(v, dw)
        S[j:, j + 1 :] -= tau * np.outer(v, w)
        dS[j, j], dS[j + 1 :, j] = dbeta, dv[1:]
    return qr, cr.Composite[CompactQR](factors=dS, tau=dtau)


@cr.rrule(compact_qr)
def compact_qr_rrule(A: np.ndarray) -> Any:
    """The forward recurrence, backwards: each H is its own inverse, so the states come back from R"""
    qr = compact_qr(A)

    def compact_qr_pullback(qr_bar: Any) -> Any:
        fields = cr.canonicalize(qr_bar, like=qr)  # what came by Q and R joins what came by the fields
        return matrix_cotangent(qr, fields.factors, fields.tau)

    return qr, compact_qr_pullback


def matrix_cotangent(qr: CompactQR, factors_bar: Matrix, tau_bar: Matrix) -> Matrix:
    """Ā, for the cotangents of the fields."""
    S, S_bar = np.triu(qr.factors), np.triu(factors_bar)
    for j, v, tau in reversed(list(reflections(qr))):
        after_bar, beta = S_bar[j:, j + 1 :], qr.factors[j, j]
        before_bar, v_bar, t_bar = reflected_back(v, tau, S[j:, j + 1 :], after_bar)
        v_bar[1:] += factors_bar[j + 1 :, j]
        t_bar += tau_bar[j]
        x = -beta * tau * v
        x[0] += beta
        x_bar, beta_bar = np.zeros_like(v), S_bar[j, j]
        if tau:
            x_bar[1:] = v_bar[1:] / (x[0] - beta)
            along = x_bar[1:] @ v[1:]
            x_bar[0] = -t_bar / beta - along
            beta_bar += t_bar * x[0] / beta**2 + along
        S_bar[j:, j] = x_bar + beta_bar / beta * x
        S_bar[j:, j + 1 :] = before_bar
        S[j:, j + 1 :] -= tau * np.outer(v, v @ S[j:, j + 1 :])
        S[j:, j] = x
    return S_bar


def reflected_back(v: Matrix, tau: float, after: Matrix, after_bar: Matrix) -> tuple[Matrix, Matrix, float]:
    """The cotangents of B, v and τ in H B = B − τ v (vᵀ B), from H B and its cotangent."""
    w, along = (1 - tau * (v @ v)) * (v @ after), v @ after_bar  # w = vᵀ B, and B = H (H B)
    before = after - tau * np.outer(v, v @ after)
    v_bar = -tau * (after_bar @ w + before @ along)
    return after_bar - tau * np.outer(v, along), v_bar, float(-along @ w)


@cr.convert_fields(CompactQR, "Q", "R")
def fields_of_properties(qr: CompactQR, Q_bar: Matrix, R_bar: Matrix) -> dict[str, Matrix]:
    """R is the triangle that factors stores; Q = H₁ … Hₖ I is followed back, from the first H to the last."""
    factors_bar, tau_bar = np.zeros_like(qr.factors), np.zeros_like(qr.tau)
    factors_bar[: len(qr.tau)] = np.triu(R_bar)
    Q, Q_bar = qr.Q.copy(), np.array(Q_bar)
    for j, v, tau in reflections(qr):
        Q_bar[j:], v_bar, tau_bar[j] = reflected_back(v, tau, Q[j:], Q_bar[j:])
        factors_bar[j + 1 :, j] += v_bar[1:]
        Q[j:] -= tau * np.outer(v, v @ Q[j:])
    return {"factors": factors_bar, "tau": tau_bar}


def properties_of_fields(qr: CompactQR, t: Any) -> Any:
    """The other way: the cotangent of Q and R that says of A = Q R what the one of the fields says."""
    fields = cr.canonicalize(t, like=qr)
    A_bar = matrix_cotangent(qr, fields.factors, fields.tau)
    return cr.Composite[CompactQR](Q=A_bar @ qr.R.T, R=np.triu(qr.Q.T @ A_bar))


@cr.frule(getattr, CompactQR, "R")
def triangle_frule(tangents: Any, qr: CompactQR) -> Any:
    """Ṙ = triu of that of factors"""
    return qr.R, np.triu(cr.materialize(tangents[0], like=qr).factors[: len(qr.tau)])


@cr.rrule(getattr, CompactQR, "R")
def triangle_rrule(qr: CompactQR) -> Any:
    """by the property"""

    def triangle_pullback(R_bar: Any) -> Any:
        return cr.Composite[CompactQR](R=R_bar)

    return qr.R, triangle_pullback


@cr.frule(getattr, CompactQR, "Q")
def orthonormal_frule(tangents: Any, qr: CompactQR) -> Any:
    """B ← H B for the reflections from the last to the first, and Ḃ with it"""
    moved = cr.materialize(tangents[0], like=qr)
    Q = np.eye(len(qr.factors), len(qr.tau))
    dQ = np.zeros_like(Q)
    for j, v, tau in reversed(list(reflections(qr))):
        dv = moved.factors[j:, j].copy()
        dv[0] = 0.0
        w, dw = v @ Q[j:], dv @ Q[j:] + v @ dQ[j:]
        dQ[j:] -= np.outer(moved.tau[j] * v + tau * dv, w) + tau * np.outer(v, dw)
        Q[j:] -= tau * np.outer(v, w)
    return Q, dQ


@cr.rrule(getattr, CompactQR, "Q")
def orthonormal_rrule(qr: CompactQR) -> Any:
    """by the property"""

    def orthonormal_pullback(Q_bar: Any) -> Any:
        return cr.Composite[CompactQR](Q=Q_bar)

    return qr.Q, orthonormal_pullback


def volume_and_lean(A: Matrix) -> Any:
    """A program that uses properties and fields at once: the logarithm of the volume, and how Q leans."""
    qr = compact_qr(A)
    return np.sum(np.log(np.abs(np.diagonal(qr.R)))) + np.sum(qr.Q[0] ** 3) + qr.tau[0] * qr.factors[1, 0]


if __name__ == "__main__":
    A = np.random.default_rng(0).normal(size=(4, 3))
    print(cr.grad(volume_and_lean)(A))
