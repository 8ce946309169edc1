"""Tables that are filled entry by entry, and trees of prices."""

from __future__ import annotations

from typing import Any

import numpy as np


def soft_min(*values: Any) -> Any:
    """A smooth minimum of a few numbers."""
    m = min(values)
    return m - np.log(sum(np.exp(m - v) for v in values))


def soft_warping(x: Any, y: Any) -> Any:
    """The smooth cost of warping one series to another."""
    n, m = len(x), len(y)
    R = np.full((n + 1, m + 1), 1e6)
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            R[i, j] = (x[i - 1] - y[j - 1]) ** 2 + soft_min(R[i - 1, j], R[i, j - 1], R[i - 1, j - 1])
    return R[n, m]


def soft_paths(W: Any) -> Any:
    """Shortest ways through a graph, smoothly, in place."""
    n = W.shape[0]
    D = W.copy()
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = D[i, k] + D[k, j]
                D[i, j] = -np.logaddexp(-D[i, j], -through)
    return np.sum(D)


def temporal_classification(logits: Any, labels: Any, blank: int = 0) -> Any:
    """The probability of a sequence of labels, by dynamic programming."""
    logp = logits - np.log(np.sum(np.exp(logits), axis=1, keepdims=True))
    extended = [blank]
    for c in labels:
        extended += [c, blank]
    S, T = len(extended), logits.shape[0]
    alpha = np.full((T, S), -1e30)
    alpha[0, 0] = logp[0, extended[0]]
    alpha[0, 1] = logp[0, extended[1]]
    for t in range(1, T):
        for s in range(S):
            a = alpha[t - 1, s]
            if s > 0:
                a = np.logaddexp(a, alpha[t - 1, s - 1])
            if s > 1 and extended[s] != blank and extended[s] != extended[s - 2]:
                a = np.logaddexp(a, alpha[t - 1, s - 2])
            alpha[t, s] = a + logp[t, extended[s]]
    return -np.logaddexp(alpha[T - 1, S - 1], alpha[T - 1, S - 2])


def forward_backward(A: Any, B: Any, pi: Any, observations: Any) -> Any:
    """Posterior marginals of a chain of states, with both tables."""
    n, T = A.shape[0], len(observations)
    fwd, bwd = np.zeros((T, n)), np.zeros((T, n))
    for t, o in enumerate(observations):
        prev = pi if t == 0 else fwd[t - 1] @ A
        fwd[t] = prev * B[:, o]
        fwd[t] /= fwd[t].sum()
    bwd[-1] = 1.0
    for t in range(T - 2, -1, -1):
        bwd[t] = A @ (B[:, observations[t + 1]] * bwd[t + 1])
        bwd[t] /= np.sum(bwd[t])
    posterior = fwd * bwd
    posterior /= posterior.sum(axis=1, keepdims=True)
    return np.sum(posterior[:, 0] ** 2)


def soft_viterbi(scores: Any, transitions: Any) -> Any:
    """A smooth best path, its table a list."""
    V = [scores[0]]
    for t in range(1, len(scores)):
        row = []
        for j in range(scores.shape[1]):
            options = V[-1] + transitions[:, j]
            top = options.max()
            row.append(scores[t, j] + top + np.log(np.sum(np.exp(options - top))))
        V.append(np.array(row))
    return V[-1].max()


def binomial_tree(params: Any, n: int = 30) -> Any:
    """An American option, backwards through a tree, in place."""
    S, K, r, sigma, T = params
    dt = T / n
    u = np.exp(sigma * np.sqrt(dt))
    d = 1.0 / u
    p = (np.exp(r * dt) - d) / (u - d)
    disc = np.exp(-r * dt)
    j = np.arange(n + 1)
    values = np.maximum(K - S * u**j * d ** (n - j), 0.0)
    for i in range(n - 1, -1, -1):
        k = np.arange(i + 1)
        cont = disc * (p * values[1 : i + 2] + (1 - p) * values[: i + 1])
        values[: i + 1] = np.maximum(cont, K - S * u**k * d ** (i - k))
    return values[0]


def asian_option(params: Any, z: Any, strike: float, maturity: float = 1.0) -> Any:
    """The price of a mean by Monte Carlo, with antithetic paths."""
    s0, rate, vol = params
    steps = z.shape[1]
    dt = maturity / steps
    payoff = 0.0
    for sign in (1.0, -1.0):
        log_s = np.log(s0) + np.cumsum((rate - 0.5 * vol**2) * dt + sign * vol * np.sqrt(dt) * z, axis=1)
        average = np.exp(log_s).mean(axis=1)
        payoff += np.maximum(average - strike, 0.0).mean() / 2
    return np.exp(-rate * maturity) * payoff


def pascal(x: Any, n: int) -> Any:
    """Bernstein polynomials by a triangle of numbers, in lists."""
    row = [1.0]
    for _ in range(n):
        new = [0.0] * (len(row) + 1)
        for i, v in enumerate(row):
            new[i] += v * (1.0 - x)
            new[i + 1] += v * x
        row = new
    return sum(b * np.sin(k) for k, b in enumerate(row))


def alignment(params: Any, a: str, b: str) -> Any:
    """A smooth score of two words, whose penalties are parameters."""
    match, mismatch, gap = params
    F = np.zeros((len(a) + 1, len(b) + 1))
    for i in range(len(a) + 1):
        F[i, 0] = -gap * i
    for j in range(len(b) + 1):
        F[0, j] = -gap * j
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            diagonal = F[i - 1, j - 1] + (match if x == y else -mismatch)
            F[i, j] = np.logaddexp(np.logaddexp(diagonal, F[i - 1, j] - gap), F[i, j - 1] - gap)
    return F[-1, -1]


def cases() -> list[tuple[Any, tuple[Any, ...]]]:
    """Each program with its arguments; the first is differentiated."""
    r = np.random.default_rng(3)
    A = r.random((3, 3)) + 0.1
    return [
        (soft_warping, (r.normal(size=8), r.normal(size=9))),
        (soft_paths, (1.0 + r.random((6, 6)),)),
        (temporal_classification, (r.normal(size=(12, 5)), [1, 2, 2, 3])),
        (
            forward_backward,
            (
                A / A.sum(axis=1, keepdims=True),
                r.random((3, 4)) + 0.1,
                np.ones(3) / 3,
                [0, 1, 3, 2, 1, 0, 2, 3, 1],
            ),
        ),
        (soft_viterbi, (r.normal(size=(10, 4)), r.normal(size=(4, 4)))),
        (binomial_tree, (np.array([100.0, 105.0, 0.03, 0.2, 1.0]),)),
        (asian_option, (np.array([100.0, 0.03, 0.2]), r.normal(size=(200, 12)), 100.0)),
        (pascal, (0.3, 12)),
        (alignment, (np.array([1.0, 0.5, 0.7]), "differentiate", "deferential")),
    ]
