"""The points at which a derivative is a decision: ties, corners, zeros, edges of domains, degenerate spectra.

Each is a function of a namespace and of numbers, with real scalar values, so that the same text runs
with NumPy, with jax.numpy and, where PyTorch has the same name, with torch; else its own text stands
beside it. `scripts/conventions.py` makes docs/conventions.md of them.
"""

from __future__ import annotations

from scripts.convention_point import INF, NAN, Point
from scripts.special_convention_points import SPECIAL_GROUPS

TIES = [
    Point("maximum(x, y)", "x = y", lambda np, x, y: np.maximum(x, y), (1.0, 1.0)),
    Point("fmin(x, y)", "x = y", lambda np, x, y: np.fmin(x, y), (1.0, 1.0)),
    Point("maximum(x, y)", "x is nan", lambda np, x, y: np.maximum(x, y), (NAN, 1.0)),
    Point("fmax(x, y)", "x is nan", lambda np, x, y: np.fmax(x, y), (NAN, 1.0)),
    Point("max(x)", "x = (2, 2, 1)", lambda np, x: np.max(x), ([2.0, 2.0, 1.0],),
          lambda torch, x: torch.amax(x)),
    Point("min(x)", "x = (1, 1, 1)", lambda np, x: np.min(x), ([1.0, 1.0, 1.0],),
          lambda torch, x: torch.amin(x)),
    Point("max(x)", "x = (1, nan, 2)", lambda np, x: np.max(x), ([1.0, NAN, 2.0],),
          lambda torch, x: torch.amax(x)),
    Point("ptp(x)", "x = (2, 2, 1)", lambda np, x: np.ptp(x), ([2.0, 2.0, 1.0],),
          lambda torch, x: torch.amax(x) - torch.amin(x)),
    Point("sort(x)[0]", "x = (1, 1)", lambda np, x: np.sort(x)[0], ([1.0, 1.0],),
          lambda torch, x: torch.sort(x).values[0]),
    Point("median(x)", "x = (1, 2, 2, 3)", lambda np, x: np.median(x), ([1.0, 2.0, 2.0, 3.0],),
          lambda torch, x: torch.quantile(x, 0.5)),
    Point("quantile(x, 0.5)", "x = (1, 1, 1)", lambda np, x: np.quantile(x, 0.5), ([1.0, 1.0, 1.0],)),
    Point("clip(x, a, b)", "x = a", lambda np, x, a, b: np.clip(x, a, b), (1.0, 1.0, 2.0),
          lambda torch, x, a, b: torch.clamp(x, a, b)),
    Point("clip(x, a, b)", "x = b", lambda np, x, a, b: np.clip(x, a, b), (2.0, 1.0, 2.0),
          lambda torch, x, a, b: torch.clamp(x, a, b)),
    Point("clip(x, a, b)", "a > x > b", lambda np, x, a, b: np.clip(x, a, b), (1.5, 2.0, 1.0),
          lambda torch, x, a, b: torch.clamp(x, a, b)),
    Point("linalg.norm(x, inf)", "x = (2, −2, 1)", lambda np, x: np.linalg.norm(x, INF), ([2.0, -2.0, 1.0],)),
]  # fmt: skip

CORNERS = [
    Point("abs(x)", "x = 0", lambda np, x: np.abs(x), (0.0,)),
    Point("sign(x)", "x = 0", lambda np, x: np.sign(x), (0.0,)),
    Point("floor(x)", "x = 1", lambda np, x: np.floor(x), (1.0,)),
    Point("rint(x)", "x = 1/2", lambda np, x: np.rint(x), (0.5,),
          lambda torch, x: torch.round(x)),
    Point("heaviside(x, h)", "x = 0", lambda np, x, h: np.heaviside(x, h), (0.0, 0.5)),
    Point("mod(x, y)", "x = 2 y", lambda np, x, y: np.mod(x, y), (2.0, 1.0),
          lambda torch, x, y: torch.remainder(x, y)),
    Point("copysign(x, s)", "x = 0", lambda np, x, s: np.copysign(x, s), (0.0, -1.0)),
    Point("hypot(x, y)", "x = y = 0", lambda np, x, y: np.hypot(x, y), (0.0, 0.0)),
    Point("arctan2(y, x)", "x = y = 0", lambda np, y, x: np.arctan2(y, x), (0.0, 0.0)),
    Point("interp(x, (0, 1, 2), f)", "x = 1, f = (0, 1, 0)",
          lambda np, x, f: np.interp(x, np.asarray([0.0, 1.0, 2.0]), f), (1.0, [0.0, 1.0, 0.0])),
    Point("nan_to_num(x)", "x is nan", lambda np, x: np.nan_to_num(x), (NAN,)),
]  # fmt: skip

ZEROS = [
    Point("prod(x)", "x = (0, 2, 3)", lambda np, x: np.prod(x), ([0.0, 2.0, 3.0],)),
    Point("prod(x)", "x = (0, 0, 3)", lambda np, x: np.prod(x), ([0.0, 0.0, 3.0],)),
    Point("sum(cumprod(x))", "x = (2, 0, 3)", lambda np, x: np.sum(np.cumprod(x)), ([2.0, 0.0, 3.0],),
          lambda torch, x: torch.sum(torch.cumprod(x, 0))),
    Point("sinc(x)", "x = 0", lambda np, x: np.sinc(x), (0.0,)),
    Point("linalg.norm(x)", "x = (0, 0)", lambda np, x: np.linalg.norm(x), ([0.0, 0.0],)),
    Point("linalg.norm(x, 1)", "x = (0, 1)", lambda np, x: np.linalg.norm(x, 1), ([0.0, 1.0],)),
    Point("linalg.norm(x, 3)", "x = (0, 0)", lambda np, x: np.linalg.norm(x, 3), ([0.0, 0.0],)),
    Point("std(x)", "x = (1, 1)", lambda np, x: np.std(x), ([1.0, 1.0],),
          lambda torch, x: torch.std(x, correction=0)),
    Point("x ** p", "x = 0, p = 0", lambda np, x, p: x**p, (0.0, 0.0)),
    Point("x ** p", "x = 0, p = 1/2", lambda np, x, p: x**p, (0.0, 0.5)),
    Point("x ** p", "x = 0, p = 2", lambda np, x, p: x**p, (0.0, 2.0)),
    Point("x ** p", "x = −2, p = 3", lambda np, x, p: x**p, (-2.0, 3.0)),
    Point("0 · sqrt(x)", "x = 0", lambda np, x: 0.0 * np.sqrt(x), (0.0,), forward="nan"),
    Point("0 · where(x > 0, log(x), 1)", "x = 0", lambda np, x: 0.0 * np.where(x > 0, np.log(x), 1.0), (0.0,),
          lambda torch, x: 0.0 * torch.where(x > 0, torch.log(x), torch.ones_like(x))),
    Point("where(x > 0, sqrt(x), 0)", "x = 0", lambda np, x: np.where(x > 0, np.sqrt(x), 0.0), (0.0,)),
]  # fmt: skip

EDGES = [
    Point("sqrt(x)", "x = 0", lambda np, x: np.sqrt(x), (0.0,)),
    Point("sqrt(x)", "x = −1", lambda np, x: np.sqrt(x), (-1.0,)),
    Point("cbrt(x)", "x = 0", lambda np, x: np.cbrt(x), (0.0,),
          lambda torch, x: torch.sign(x) * torch.abs(x) ** (1 / 3)),
    Point("log(x)", "x = 0", lambda np, x: np.log(x), (0.0,)),
    Point("log(x)", "x = −1", lambda np, x: np.log(x), (-1.0,)),
    Point("log1p(x)", "x = −1", lambda np, x: np.log1p(x), (-1.0,)),
    Point("reciprocal(x)", "x = 0", lambda np, x: np.reciprocal(x), (0.0,)),
    Point("x / y", "x = y = 0", lambda np, x, y: np.divide(x, y), (0.0, 0.0)),
    Point("arcsin(x)", "x = 1", lambda np, x: np.arcsin(x), (1.0,)),
    Point("arccosh(x)", "x = 1", lambda np, x: np.arccosh(x), (1.0,)),
    Point("arctanh(x)", "x = 1", lambda np, x: np.arctanh(x), (1.0,)),
    Point("x ** p", "x = −2, p = 1/2", lambda np, x, p: np.power(x, p), (-2.0, 0.5),
          lambda torch, x, p: torch.pow(x, p)),
    Point("logaddexp(x, y)", "x = y = −inf", lambda np, x, y: np.logaddexp(x, y), (-INF, -INF)),
]  # fmt: skip

ONE = [[1.0, 0.0], [0.0, 1.0]]
SINGULAR = [[1.0, 2.0], [2.0, 4.0]]
FLAT = [[1.0, 0.0], [0.0, 0.0]]
SPECTRA = [
    Point("linalg.det(A)", "A singular", lambda np, A: np.linalg.det(A), (SINGULAR,)),
    Point("linalg.slogdet(A)[1]", "A singular", lambda np, A: np.linalg.slogdet(A)[1], (SINGULAR,)),
    Point("linalg.inv(A)[0, 0]", "A singular", lambda np, A: np.linalg.inv(A)[0, 0], (SINGULAR,)),
    Point("linalg.cholesky(A)[1, 1]", "A positive definite", lambda np, A: np.linalg.cholesky(A)[1, 1],
          ([[2.0, 1.0], [1.0, 2.0]],)),
    Point("linalg.eigvalsh(A)[0]", "A = 1", lambda np, A: np.linalg.eigvalsh(A)[0], (ONE,)),
    Point("sum(linalg.eigvalsh(A))", "A = 1", lambda np, A: np.sum(np.linalg.eigvalsh(A)), (ONE,)),
    Point("linalg.eigh(A)[1][0, 0]", "A = 1", lambda np, A: np.linalg.eigh(A)[1][0, 0], (ONE,)),
    Point("linalg.svd(A)[0][0, 0]", "A = 1", lambda np, A: np.linalg.svd(A)[0][0, 0], (ONE,)),
    Point("linalg.svdvals(A)[1]", "A = diag(1, 0)", lambda np, A: np.linalg.svdvals(A)[1], (FLAT,)),
    Point("linalg.norm(A, 2)", "A = 1", lambda np, A: np.linalg.norm(A, 2), (ONE,)),
    Point("linalg.norm(A, 'nuc')", "A = diag(1, 0)", lambda np, A: np.linalg.norm(A, "nuc"), (FLAT,)),
    Point("linalg.pinv(A)[0, 0]", "A = diag(1, 0)", lambda np, A: np.linalg.pinv(A)[0, 0], (FLAT,)),
    Point("linalg.qr(A)[0][0, 0]", "A = diag(1, 0)", lambda np, A: np.linalg.qr(A)[0][0, 0], (FLAT,)),
]  # fmt: skip

GROUPS = {
    "Ties": TIES,
    "Corners and steps": CORNERS,
    "Zeros": ZEROS,
    "Edges of the domain": EDGES,
    "Degenerate matrices": SPECTRA,
    **SPECIAL_GROUPS,
}
POINTS = [point for points in GROUPS.values() for point in points]
