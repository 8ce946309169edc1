"""Networks as people write them: parameters in lists of pairs, in dictionaries, in one vector."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logsumexp


def neural_net(params: Any, inputs: Any, targets: Any) -> Any:
    """A classifier; the parameters are a list of pairs."""
    x = inputs
    for W, b in params[:-1]:
        x = np.tanh(np.dot(x, W) + b)
    W, b = params[-1]
    logits = np.dot(x, W) + b
    scores = logits - logsumexp(logits, axis=1, keepdims=True)
    penalty = sum(np.sum(W**2) + np.sum(b**2) for W, b in params)
    return -np.mean(np.sum(scores * targets, axis=1)) + 0.01 * penalty


def unpacked_layers(weights: Any, sizes: Any) -> Any:
    """The layers of a vector of weights, one by one."""
    for m, n in sizes:
        yield weights[: m * n].reshape(m, n), weights[m * n : m * n + n]
        weights = weights[(m + 1) * n :]


def neural_net_regression(weights: Any, inputs: Any, targets: Any, sizes: Any) -> Any:
    """A network whose parameters are one vector, taken apart by a generator."""
    x = inputs
    for W, b in unpacked_layers(weights, sizes):
        out = x @ W + b
        x = np.maximum(out, 0.0)
    log_prior = -0.5 * np.dot(weights, weights)
    return -log_prior + 0.5 * np.sum((targets - out) ** 2)


def sigmoid(x: Any) -> Any:
    """The logistic function, by the hyperbolic tangent."""
    return 0.5 * (np.tanh(0.5 * x) + 1.0)


def rnn(params: Any, inputs: Any, targets: Any) -> Any:
    """A recurrent network whose parameters are a dictionary."""
    h = np.repeat(params["init"], inputs.shape[1], axis=0)
    total = 0.0
    for t, x in enumerate(inputs):
        h = np.tanh(np.dot(x, params["change"][:-1]) + h @ params["hidden"] + params["change"][-1])
        y = np.dot(h, params["predict"])
        y = y - logsumexp(y, axis=1, keepdims=True)
        total += np.sum(targets[t] * y)
    return -total / (inputs.shape[0] * inputs.shape[1])


def concatenated(*args: Any) -> Any:
    """The parts side by side, with a column of ones."""
    return np.hstack(args + (np.ones((args[0].shape[0], 1)),))


def lstm(params: Any, inputs: Any, targets: Any) -> Any:
    """A network of gates, with a helper of any number of arguments."""

    def update(x: Any, h: Any, c: Any) -> Any:
        change = np.tanh(np.dot(concatenated(x, h), params["change"]))
        forget = sigmoid(np.dot(concatenated(x, h), params["forget"]))
        ingate = sigmoid(np.dot(concatenated(x, h), params["ingate"]))
        outgate = sigmoid(np.dot(concatenated(x, h), params["outgate"]))
        c = c * forget + ingate * change
        return outgate * np.tanh(c), c

    n = inputs.shape[1]
    h = np.repeat(params["h0"], n, axis=0)
    c = np.repeat(params["c0"], n, axis=0)
    outputs = []
    for x in inputs:
        h, c = update(x, h, c)
        outputs.append(np.dot(h, params["predict"]))
    return np.mean((np.array(outputs) - targets) ** 2)


def variational_autoencoder(params: Any, data: Any, noise: Any) -> Any:
    """A bound on the evidence with reparameterised samples."""
    encoder, decoder = params
    h = data
    for W, b in encoder:
        h = np.tanh(h @ W + b)
    D = h.shape[1] // 2
    mean, log_std = h[:, :D], h[:, D:]
    z = mean + np.exp(log_std) * noise
    y = z
    for W, b in decoder:
        y = np.tanh(y @ W + b)
    likelihood = -np.sum(np.logaddexp(0.0, -y * (2.0 * data - 1.0)), axis=-1)
    entropy = np.sum(log_std + 0.5 * np.log(2.0 * np.pi * np.e), axis=-1)
    prior = -0.5 * np.sum(z**2 + np.log(2.0 * np.pi), axis=-1)
    return -np.mean(likelihood + prior + entropy)


def adversarial_net(params: Any, real: Any, noise: Any) -> Any:
    """What a generator and its discriminator play for."""
    generator, discriminator = params["g"], params["d"]

    def run(layers: Any, x: Any) -> Any:
        for i, (W, b) in enumerate(layers):
            x = x @ W + b
            if i < len(layers) - 1:
                x = np.where(x > 0, x, 0.2 * x)
        return x

    fake = run(generator, noise)
    return np.mean(run(discriminator, real)) - np.mean(np.log1p(np.exp(run(discriminator, fake))))


def attention_block(p: Any, x: Any) -> Any:
    """One block of a transformer with two heads, in front of a sum of squares."""
    T, D = x.shape
    n_heads = 2
    size = D // n_heads

    def norm(v: Any, scale: Any, shift: Any) -> Any:
        mean = v.mean(axis=-1, keepdims=True)
        var = v.var(axis=-1, keepdims=True)
        return (v - mean) / np.sqrt(var + 1e-5) * scale + shift

    h = norm(x, p["s1"], p["t1"])
    q, k, v = np.split(h @ p["qkv"], 3, axis=-1)
    q, k, v = (m.reshape(T, n_heads, size).transpose(1, 0, 2) for m in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(size)
    scores = np.where(np.tril(np.ones((T, T), dtype=bool)), scores, -1e9)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    x = x + (weights @ v).transpose(1, 0, 2).reshape(T, D) @ p["out"]
    h = norm(x, p["s2"], p["t2"]) @ p["up"]
    h = 0.5 * h * (1.0 + np.tanh(np.sqrt(2.0 / np.pi) * (h + 0.044715 * h**3)))
    return np.sum((x + h @ p["down"]) ** 2)


class BatchNorm:
    """Normalises each batch, and remembers."""

    def __init__(self, size: int, momentum: float = 0.9) -> None:
        self.mean, self.var = np.zeros(size), np.ones(size)
        self.momentum = momentum

    def __call__(self, x: Any, gamma: Any, beta: Any) -> Any:
        m, v = x.mean(axis=0), x.var(axis=0)
        self.mean = self.momentum * self.mean + (1 - self.momentum) * m
        self.var = self.momentum * self.var + (1 - self.momentum) * v
        return gamma * (x - m) / np.sqrt(v + 1e-5) + beta


def batch_norm(params: Any, batches: Any) -> Any:
    """A layer with running statistics, which a penalty reads."""
    W, gamma, beta = params
    layer = BatchNorm(gamma.shape[0])
    loss = 0.0
    for batch in batches:
        y = layer(batch @ W, gamma, beta)
        loss = loss + np.mean(np.square(y).sum(axis=1))
    return loss + np.sum(layer.mean**2) + np.sum(np.log(layer.var))


def convolution(kernel: Any, bias: Any, images: Any) -> Any:
    """A convolution by loops over its window, in place, a rectifier and a pooling by strides."""
    n, height, width = images.shape
    kh, kw, channels = kernel.shape
    out = np.zeros((n, height - kh + 1, width - kw + 1, channels))
    for i in range(kh):
        for j in range(kw):
            patch = images[:, i : i + out.shape[1], j : j + out.shape[2]]
            out += patch[..., None] * kernel[i, j]
    out += bias
    out = np.maximum(out, 0)
    pooled = np.maximum(
        np.maximum(out[:, ::2, ::2], out[:, 1::2, ::2]), np.maximum(out[:, ::2, 1::2], out[:, 1::2, 1::2])
    )
    return np.sum(pooled**2) / n


def graph_net(params: Any, adjacency: Any, features: Any, labels: Any) -> Any:
    """Two rounds of messages along the edges of a graph, and a cross entropy."""
    A = adjacency + np.eye(adjacency.shape[0])
    d = A.sum(axis=1) ** -0.5
    A = d[:, None] * A * d[None, :]
    h = features
    for i, W in enumerate(params):
        h = A @ h @ W
        if i + 1 < len(params):
            h = np.maximum(h, 0)
    logp = h - np.log(np.sum(np.exp(h), axis=1))[:, None]
    return -np.mean(logp[np.arange(len(labels)), labels])


def ode_net(params: Any, y0: Any, t: Any, truth: Any) -> Any:
    """A network as the right-hand side, by the midpoint rule."""

    def func(y: Any, t: float, *weights: Any) -> Any:
        W1, b1, W2, b2 = weights
        return np.tanh((y**3) @ W1 + b1) @ W2 + b2

    y, ys = y0, [y0]
    for t0, t1 in zip(t[:-1], t[1:]):
        dt = t1 - t0
        mid = y + 0.5 * dt * func(y, t0, *params)
        y = y + dt * func(mid, t0 + 0.5 * dt, *params)
        ys.append(y)
    return np.mean(np.abs(np.stack(ys) - truth))


def cases() -> list[tuple[Any, tuple[Any, ...]]]:
    """Each program with its arguments; the first is differentiated."""
    r = np.random.default_rng(0)

    def layers(*sizes: int) -> list[Any]:
        return [
            (r.normal(size=(m, n)) * 0.3, r.normal(size=n) * 0.1)
            for m, n in zip(sizes[:-1], sizes[1:], strict=True)
        ]

    onehot = np.eye(5)[r.integers(0, 5, 20)]
    small = {k: r.normal(size=(9, 4)) * 0.3 for k in ("change", "forget", "ingate", "outgate")}
    small |= {"h0": r.normal(size=(1, 4)), "c0": r.normal(size=(1, 4)), "predict": r.normal(size=(4, 2))}
    D = 16
    block = {"qkv": r.normal(size=(D, 3 * D)) * 0.2, "out": r.normal(size=(D, D)) * 0.2}
    block |= {"up": r.normal(size=(D, 4 * D)) * 0.2, "down": r.normal(size=(4 * D, D)) * 0.2}
    block |= {"s1": np.ones(D), "t1": np.zeros(D), "s2": np.ones(D), "t2": np.zeros(D)}
    edges = (r.random((12, 12)) > 0.7).astype(float)
    return [
        (neural_net, (layers(10, 20, 5), r.normal(size=(20, 10)), onehot)),
        (
            neural_net_regression,
            (r.normal(size=31) * 0.5, r.normal(size=(30, 1)), r.normal(size=(30, 1)), [(1, 10), (10, 1)]),
        ),
        (
            rnn,
            (
                {
                    "init": r.normal(size=(1, 6)),
                    "change": r.normal(size=(6, 6)),
                    "hidden": r.normal(size=(6, 6)) * 0.3,
                    "predict": r.normal(size=(6, 5)),
                },
                r.normal(size=(12, 20, 5)),
                np.stack([onehot] * 12),
            ),
        ),
        (lstm, (small, r.normal(size=(10, 8, 4)), r.normal(size=(10, 8, 2)))),
        (
            variational_autoencoder,
            (
                (layers(12, 20, 8), layers(4, 20, 12)),
                (r.random((25, 12)) > 0.5).astype(float),
                r.normal(size=(25, 4)),
            ),
        ),
        (
            adversarial_net,
            ({"g": layers(3, 16, 4), "d": layers(4, 16, 1)}, r.normal(size=(30, 4)), r.normal(size=(30, 3))),
        ),
        (attention_block, (block, r.normal(size=(10, D)))),
        (
            batch_norm,
            ((r.normal(size=(6, 4)), np.ones(4), np.zeros(4)), [r.normal(size=(16, 6)) for _ in range(5)]),
        ),
        (convolution, (r.normal(size=(3, 3, 4)), r.normal(size=4), r.normal(size=(4, 12, 12)))),
        (
            graph_net,
            (
                [r.normal(size=(5, 8)), r.normal(size=(8, 3))],
                edges + edges.T,
                r.normal(size=(12, 5)),
                r.integers(0, 3, 12),
            ),
        ),
        (
            ode_net,
            (
                (r.normal(size=(2, 20)) * 0.1, np.zeros(20), r.normal(size=(20, 2)) * 0.1, np.zeros(2)),
                np.array([[2.0, 0.0]]),
                np.linspace(0.0, 2.0, 20),
                r.normal(size=(20, 1, 2)),
            ),
        ),
    ]
