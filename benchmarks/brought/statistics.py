"""Likelihoods, bounds and filters as people write them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln, logsumexp
from scipy.stats import norm


def unpacked(params: Any) -> Any:
    """The parts of a vector of parameters."""
    return params[0], np.exp(params[1]), np.exp(params[2:])


def rbf(scale: Any, lengths: Any, x: Any, y: Any) -> Any:
    """A covariance that falls with the distance."""
    diffs = np.expand_dims(x / lengths, 1) - np.expand_dims(y / lengths, 0)
    return scale * np.exp(-0.5 * np.sum(diffs**2, axis=2))


def gaussian_process(params: Any, x: Any, y: Any) -> Any:
    """The marginal likelihood by a Cholesky factor."""
    mean, noise, rest = unpacked(params)
    K = rbf(rest[0], rest[1:], x, x) + noise * np.eye(len(y))
    L = np.linalg.cholesky(K)
    a = np.linalg.solve(L, y - mean)
    return 0.5 * a @ a + np.sum(np.log(np.diag(L))) + 0.5 * len(y) * np.log(2 * np.pi)


def black_box_svi(params: Any, noise: Any) -> Any:
    """A bound on the evidence of a density given as a function, by samples."""
    D = params.shape[0] // 2
    mean, log_std = params[:D], params[D:]

    def log_density(z: Any) -> Any:
        mu, log_sigma = z[:, 0], z[:, 1]
        return norm.logpdf(log_sigma, 0, 1.35) + norm.logpdf(mu, 0, np.exp(log_sigma))

    samples = noise * np.exp(log_std) + mean
    entropy = 0.5 * D * (1.0 + np.log(2 * np.pi)) + np.sum(log_std)
    return -(entropy + np.mean(log_density(samples)))


def mixture_log_density(z: Any, log_weights: Any, means: Any, log_stds: Any) -> Any:
    """Of components in several dimensions, one after another."""
    components = []
    for w, m, s in zip(log_weights, means, log_stds):
        components.append(w + np.sum(-0.5 * ((z - m) / np.exp(s)) ** 2 - s - 0.919, axis=1))
    return logsumexp(np.vstack(components), axis=0)


def mixture_variational_inference(params: Any, noise: Any) -> Any:
    """A mixture as the approximation."""
    log_weights, means, log_stds = params
    log_weights = log_weights - logsumexp(log_weights)
    total = 0.0
    for k in range(len(log_weights)):
        z = means[k] + noise[k] * np.exp(log_stds[k])
        target = -0.5 * np.sum(z**2, axis=1) + np.sin(z[:, 0]) * z[:, 1]
        total += np.exp(log_weights[k]) * np.mean(
            mixture_log_density(z, log_weights, means, log_stds) - target
        )
    return total


def hidden_markov(log_pi: Any, log_A: Any, log_B: Any, sequence: Any) -> Any:
    """The forward algorithm in logarithms."""
    log_pi = log_pi - logsumexp(log_pi)
    log_A = log_A - logsumexp(log_A, axis=1, keepdims=True)
    log_B = log_B - logsumexp(log_B, axis=1, keepdims=True)
    log_alpha = log_pi
    for y in sequence:
        log_alpha = logsumexp(log_alpha[:, None] + log_A, axis=0) + log_B[:, y]
    return -logsumexp(log_alpha)


def expectation_maximisation(means: Any, data: Any, steps: int) -> Any:
    """Where a few steps of a mixture's means lead to."""
    K = means.shape[0]
    for _ in range(steps):
        sq = np.sum((data[:, np.newaxis, :] - means[np.newaxis]) ** 2, axis=2)
        r = np.exp(-0.5 * (sq - sq.min(axis=1, keepdims=True)))
        r /= r.sum(axis=1, keepdims=True)
        new = np.empty_like(means)
        for k in range(K):
            new[k] = (r[:, k][:, None] * data).sum(axis=0) / r[:, k].sum()
        means = new
    return np.sum(means**2 * np.arange(1.0, K + 1)[:, None])


def kalman(params: Any, observations: Any) -> Any:
    """A filter of positions and speeds, with keyword arguments."""
    q, r, damping = np.exp(params)
    F = np.array([[1.0, 0.1], [0.0, 1.0 - damping]])
    H = np.array([[1.0, 0.0]])
    Q = q * np.array([[0.0025, 0.005], [0.005, 0.01]])
    x, P = np.zeros(2), np.eye(2)
    loglik = 0.0
    for z in observations:
        x, P = F @ x, F @ P @ F.T + Q
        innovation = z - (H @ x)[0]
        S = (H @ P @ H.T)[0, 0] + r
        K = (P @ H.T / S).ravel()
        x = x + K * innovation
        P = (np.eye(2) - np.outer(K, H[0])) @ P
        loglik -= 0.5 * (np.log(2 * np.pi * S) + innovation**2 / S)
    return -loglik


def particle_filter(theta: Any, observations: Any, noise: Any, n: int = 30) -> Any:
    """Weights of moving particles, without resampling."""
    a, log_s, log_o = theta
    x = np.zeros(n)
    logw = np.full(n, -np.log(n))
    ll = 0.0
    for t in range(len(observations)):
        x = a * x + np.exp(log_s) * noise[t]
        logw = logw - 0.5 * ((observations[t] - x) * np.exp(-log_o)) ** 2 - log_o
        m = np.max(logw)
        ll += m + np.log(np.sum(np.exp(logw - m)))
        logw -= m + np.log(np.sum(np.exp(logw - m)))
    return -ll


def logistic_regression(w: Any, X: Any, y: Any, l2: float = 0.1) -> Any:
    """With a penalty."""
    z = X.dot(w[1:]) + w[0]
    return np.mean(np.log1p(np.exp(-np.abs(z))) + np.maximum(z, 0) - y * z) + 0.5 * l2 * (w[1:] ** 2).sum()


def poisson_regression(beta: Any, X: Any, counts: Any, exposure: Any) -> Any:
    """Counts with an offset."""
    eta = X @ beta + np.log(exposure)
    return -np.sum(counts * eta - np.exp(eta) - gammaln(counts + 1.0))


def cox_regression(beta: Any, X: Any, times: Any, events: Any) -> Any:
    """The partial likelihood, over who is still at risk."""
    order = np.argsort(-times)
    eta = (X @ beta)[order]
    risk = np.log(np.cumsum(np.exp(eta)))
    return -np.sum((eta - risk)[events[order] == 1])


def quantile_regression(w: Any, X: Any, y: Any, quantiles: Any = (0.1, 0.5, 0.9)) -> Any:
    """Three quantiles at once."""
    loss = 0.0
    for q, row in zip(quantiles, w):
        e = y - X @ row
        loss += np.mean(np.maximum(q * e, (q - 1) * e))
    return loss


def independent_components(W: Any, x: Any) -> Any:
    """A likelihood with a determinant."""
    s = W @ x
    sign, logdet = np.linalg.slogdet(W)
    return -(logdet + np.mean(np.sum(-np.log(np.cosh(s)), axis=0)))


def principal_components(params: Any, x: Any) -> Any:
    """The reconstruction error of a projection."""
    Q, R = np.linalg.qr(params)
    centred = x - np.mean(x, axis=0)
    error = centred - centred @ Q @ Q.T
    return np.mean(np.sum(error * error, axis=1)) + 0.01 * np.trace(R.T @ R)


def cases() -> list[tuple[Any, tuple[Any, ...]]]:
    """Each program with its arguments; the first is differentiated."""
    r = np.random.default_rng(1)
    X = r.normal(size=(40, 4))
    y = (r.random(40) > 0.5).astype(float)
    mixture = (r.normal(size=3), r.normal(size=(3, 2)), r.normal(size=(3, 2)) * 0.1)
    return [
        (gaussian_process, (r.normal(size=5) * 0.3, r.normal(size=(15, 2)), r.normal(size=15))),
        (black_box_svi, (r.normal(size=4) * 0.3, r.normal(size=(50, 2)))),
        (mixture_variational_inference, (mixture, r.normal(size=(3, 20, 2)))),
        (
            hidden_markov,
            (r.normal(size=4), r.normal(size=(4, 4)), r.normal(size=(4, 6)), r.integers(0, 6, 30)),
        ),
        (expectation_maximisation, (r.normal(size=(3, 2)), r.normal(size=(50, 2)), 4)),
        (kalman, (np.array([-1.0, -2.0, -3.0]), np.sin(np.arange(30) * 0.2))),
        (
            particle_filter,
            (np.array([0.9, -0.5, -0.3]), np.sin(np.arange(15) * 0.3), r.normal(size=(15, 30))),
        ),
        (logistic_regression, (r.normal(size=5), X, y)),
        (poisson_regression, (r.normal(size=4) * 0.2, X, np.floor(r.random(40) * 5), 1.0 + r.random(40))),
        (cox_regression, (r.normal(size=4) * 0.3, X, r.random(40), (r.random(40) > 0.4).astype(int))),
        (quantile_regression, (r.normal(size=(3, 4)), X, r.normal(size=40))),
        (independent_components, (np.eye(3) + r.normal(size=(3, 3)) * 0.2, r.normal(size=(3, 60)))),
        (principal_components, (r.normal(size=(5, 2)), r.normal(size=(40, 5)))),
    ]
