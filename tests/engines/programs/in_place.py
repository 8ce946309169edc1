"""Programs as people write them, which write into arrays, lists and objects.

After the examples that other libraries show; each is differentiated by its first argument.
"""

from typing import Any

import numpy as np


def smooth(u, steps=4):
    """Relaxation of a field between fixed borders."""
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
    return u


def projected(vx, vy):
    """A flow without divergence, by a few relaxations of its pressure."""
    p = np.zeros(vx.shape)
    h = 1.0 / vx.shape[0]
    div = (
        -0.5
        * h
        * (
            np.roll(vx, -1, axis=0)
            - np.roll(vx, 1, axis=0)
            + np.roll(vy, -1, axis=1)
            - np.roll(vy, 1, axis=1)
        )
    )
    for _ in range(4):
        p = (
            div
            + np.roll(p, 1, axis=0)
            + np.roll(p, -1, axis=0)
            + np.roll(p, 1, axis=1)
            + np.roll(p, -1, axis=1)
        ) / 4.0
    vx -= 0.5 * (np.roll(p, -1, axis=0) - np.roll(p, 1, axis=0)) / h
    vy -= 0.5 * (np.roll(p, -1, axis=1) - np.roll(p, 1, axis=1)) / h
    return vx, vy


def advected(f, vx, vy):
    """A field that a flow has carried on, by bilinear interpolation."""
    rows, cols = f.shape
    ys, xs = np.meshgrid(np.arange(rows), np.arange(cols), indexing="ij")
    x, y = xs - vx, ys - vy
    left, top = np.floor(x).astype(int), np.floor(y).astype(int)
    rw, bw = x - left, y - top
    left, right = np.mod(left, cols), np.mod(left + 1, cols)
    top, bottom = np.mod(top, rows), np.mod(top + 1, rows)
    return (1 - rw) * ((1 - bw) * f[top, left] + bw * f[bottom, left]) + rw * (
        (1 - bw) * f[top, right] + bw * f[bottom, right]
    )


def smoke(flow, ink, target):
    """How far ink is from where a flow should have brought it."""
    vx, vy = flow[0].copy(), flow[1].copy()
    for _ in range(2):
        vx, vy = projected(vx, vy)
        ink = advected(ink, vx, vy)
    return np.mean((ink - target) ** 2)


def rosenbrock_table(x):
    """The valley's terms, one by one in a table."""
    terms = np.empty(len(x) - 1)
    for i in range(len(x) - 1):
        terms[i] = 100.0 * (x[i + 1] - x[i] ** 2) ** 2
        terms[i] += (1.0 - x[i]) ** 2
    return terms.sum()


def recurrent(weights, words, targets):
    """The loss of a recurrent network that keeps its states in an array."""
    inner, outer, out = weights
    states = np.zeros((len(words) + 1, inner.shape[0]))
    loss = 0.0
    for t, word in enumerate(words):
        states[t + 1] = np.tanh(inner @ states[t] + outer @ word)
        scores = out @ states[t + 1]
        scores -= np.max(scores)
        loss -= scores[targets[t]] - np.log(np.sum(np.exp(scores)))
    return loss / len(words)


def convolved(kernels, image):
    """A convolution layer by loops over its windows, rectified and pooled."""
    count, size, _ = kernels.shape
    rows, cols = image.shape[0] - size + 1, image.shape[1] - size + 1
    layer = np.zeros((count, rows, cols))
    for k in range(count):
        for i in range(rows):
            for j in range(cols):
                layer[k, i, j] = np.sum(kernels[k] * image[i : i + size, j : j + size])
    layer[layer < 0.0] = 0.0
    pooled = np.max(layer, axis=2)
    return np.sum(pooled**2)


def evidence(parameters, noise, xs, ys):
    """Black-box variational inference: the evidence bound of a normal posterior, sample by sample."""
    mean, log_std = parameters[:2], parameters[2:]
    samples = np.empty_like(noise)
    for k in range(noise.shape[0]):
        samples[k] = mean + np.exp(log_std) * noise[k]
    total = np.zeros(noise.shape[0])
    for k, w in enumerate(samples):
        total[k] = -0.5 * np.sum((ys - w[0] * xs - w[1]) ** 2) - 0.5 * np.sum(w * w)
    entropy = np.sum(log_std)
    return -(np.mean(total) + entropy)


def neural_ode(weights, start, times, target):
    """Runge-Kutta steps of a small network's flow, in an array of positions."""
    w, v = weights
    path = np.zeros((len(times), len(start)))
    path[0] = start

    def slope(y):
        return v @ np.tanh(w @ y**3)

    for i in range(len(times) - 1):
        h = times[i + 1] - times[i]
        y = path[i]
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        path[i + 1] = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.mean(np.abs(path - target))


def updated(x, indices, values):
    """What the functional updates of arrays do: set, add, multiply, minimum, at places."""
    y = np.array(x)
    y[indices] = values
    y[1:3] += 2.0 * x[:2]
    y[::2] *= x[::2]
    y[0] = min(y[0], x[1] * x[1])
    np.add.at(y, [0, 0, 1], x[:3] * 0.5)
    return np.sum(y**2)


def covariance(lengths, xs, ys):
    """A Gaussian process's evidence, its kernel filled entry by entry, its factor made in place."""
    n = len(xs)
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            K[i, j] = K[j, i] = lengths[0] ** 2 * np.exp(-0.5 * ((xs[i] - xs[j]) / lengths[1]) ** 2)
        K[i, i] += lengths[2] ** 2
    for j in range(n):
        K[j, j] = np.sqrt(K[j, j] - np.sum(K[j, :j] ** 2))
        for i in range(j + 1, n):
            K[i, j] = (K[i, j] - np.sum(K[i, :j] * K[j, :j])) / K[j, j]
    z = ys.copy()
    for i in range(n):
        z[i] = (z[i] - K[i, :i] @ z[:i]) / K[i, i]
    return 0.5 * z @ z + np.sum(np.log(np.diag(K)))


def warped(x, y, gamma):
    """Dynamic time warping with a soft minimum: a table, entry by entry."""
    n, m = len(x), len(y)
    R = np.full((n + 1, m + 1), 1e4)
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            steps = [-R[i - 1, j - 1] / gamma, -R[i - 1, j] / gamma, -R[i, j - 1] / gamma]
            top = max(steps)
            soft = -gamma * (np.log(sum(np.exp(s - top) for s in steps)) + top)
            R[i, j] = (x[i - 1] - y[j - 1]) ** 2 + soft
    return R[n, m]


def hidden_markov(logits, seen):
    """The likelihood of what was seen, by the forward algorithm in one table."""
    step, emit = logits
    A = np.exp(step) / np.sum(np.exp(step), axis=1, keepdims=True)
    B = np.exp(emit) / np.sum(np.exp(emit), axis=1, keepdims=True)
    alpha = np.zeros((len(seen), A.shape[0]))
    scales = [0.0] * len(seen)
    alpha[0, :] = B[:, seen[0]] / A.shape[0]
    for t in range(len(seen)):
        if t > 0:
            for j in range(A.shape[0]):
                alpha[t, j] = alpha[t - 1].dot(A[:, j]) * B[j, seen[t]]
        scales[t] = alpha[t].sum()
        alpha[t] /= scales[t]
    return -sum(np.log(s) for s in scales)


def tuned(rates, start, xs, ys):
    """The loss after a few steps of Adam, as a function of its rates."""
    w = start.copy()
    m, v = np.zeros_like(w), np.zeros_like(w)
    for t in range(1, 5):
        residual = xs @ w - ys
        g = 2.0 * xs.T @ residual / len(ys)
        m *= 0.9
        m += 0.1 * g
        v *= 0.99
        v += 0.01 * g * g
        w -= rates[t - 1] * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)
    return np.mean((xs @ w - ys) ** 2)


def planets(x0, v0, steps, dt):
    """Leapfrog steps of bodies that attract one another."""
    x, v = x0.copy(), v0.copy()
    n = len(x)
    for _ in range(steps):
        a = np.zeros_like(x)
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = x[j] - x[i]
                    a[i] += d / (np.sum(d * d) + 0.1) ** 1.5
        v += dt * a
        x += dt * v
    return 0.5 * np.sum(v * v) + np.sum(x[0] * x[1])


def eliminated(A, b):
    """The solution of a linear system, by elimination with pivots, in place."""
    M, y = A.copy(), b.copy()
    n = len(y)
    for k in range(n):
        p = k + np.argmax(np.abs(M[k:, k]))
        if p != k:
            M[[k, p]] = M[[p, k]]
            y[k], y[p] = y[p], y[k]
        for i in range(k + 1, n):
            f = M[i, k] / M[k, k]
            M[i, k:] -= f * M[k, k:]
            y[i] -= f * y[k]
    for i in reversed(range(n)):
        y[i] = (y[i] - M[i, i + 1 :] @ y[i + 1 :]) / M[i, i]
    return np.sum(y**2)


class Normalised:
    """A layer that keeps a running mean of what it saw."""

    def __init__(self, size, *, momentum=0.9):
        self.mean = np.zeros(size)
        self.momentum = momentum
        self.calls = 0

    def __call__(self, x):
        centre = np.mean(x, axis=0)
        self.mean *= self.momentum
        self.mean += (1.0 - self.momentum) * centre
        self.calls += 1
        return (x - centre) / np.sqrt(np.mean((x - centre) ** 2, axis=0) + 1e-5)


def network(weights, xs):
    """Layers in a list, each with what it keeps."""
    layers = [Normalised(w.shape[1]) for w in weights]
    for w, layer in zip(weights, layers, strict=True):
        xs = np.maximum(layer(xs @ w), 0.1 * xs[:, : w.shape[1]])
    penalty = 0.0
    for layer in layers:
        penalty += np.sum(layer.mean**2)
    return np.mean(xs**2) + penalty


def heated(u):
    """A square plate after a few relaxations, in the caller's own array."""
    smooth(u)
    return np.sum(u**2)


def programs() -> dict[str, Any]:
    """The programs by name, each with its arguments."""
    draw = np.random.default_rng(3)
    normal = draw.normal
    xs = normal(size=(6, 3))
    return {
        "smoke": (smoke, (0.5 * normal(size=(2, 5, 6)), draw.random((5, 6)), draw.random((5, 6)))),
        "rosenbrock": (rosenbrock_table, (normal(size=5),)),
        "recurrent": (
            recurrent,
            (
                (normal(size=(3, 3)), normal(size=(3, 2)), normal(size=(4, 3))),
                normal(size=(5, 2)),
                [0, 3, 1, 1, 2],
            ),
        ),
        "convolution": (convolved, (normal(size=(2, 2, 2)), normal(size=(4, 5)))),
        "inference": (evidence, (normal(size=4), normal(size=(5, 2)), normal(size=6), normal(size=6))),
        "neural_ode": (
            neural_ode,
            (
                (normal(size=(4, 2)), normal(size=(2, 4))),
                normal(size=2),
                np.linspace(0.0, 0.3, 4),
                normal(size=(4, 2)),
            ),
        ),
        "updates": (updated, (normal(size=5), np.array([4, 1]), np.array([0.3, 0.7]))),
        "covariance": (covariance, (np.array([1.1, 0.7, 0.4]), normal(size=4), normal(size=4))),
        "warping": (warped, (normal(size=4), normal(size=3), 0.5)),
        "hidden_markov": (hidden_markov, ((normal(size=(2, 2)), normal(size=(2, 3))), [0, 2, 1, 1])),
        "adam": (tuned, (0.1 * draw.random(4), normal(size=3), xs, normal(size=6))),
        "planets": (planets, (normal(size=(3, 2)), normal(size=(3, 2)), 2, 0.1)),
        "elimination": (eliminated, (normal(size=(4, 4)), normal(size=4))),
        "layers": (network, ([normal(size=(3, 3)), normal(size=(3, 2))], xs)),
        "plate": (heated, (normal(size=(5, 5)),)),
    }
