"""Simulations as people write them: time steps, in place and not."""

from __future__ import annotations

from typing import Any

import numpy as np


def project(vx: Any, vy: Any) -> Any:
    """A field without sources, by a few sweeps."""
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
    for _ in range(5):
        p = (
            div
            + np.roll(p, 1, axis=0)
            + np.roll(p, -1, axis=0)
            + np.roll(p, 1, axis=1)
            + np.roll(p, -1, axis=1)
        ) / 4.0
    vx = vx - 0.5 * (np.roll(p, -1, axis=0) - np.roll(p, 1, axis=0)) / h
    vy = vy - 0.5 * (np.roll(p, -1, axis=1) - np.roll(p, 1, axis=1)) / h
    return vx, vy


def advect(f: Any, vx: Any, vy: Any) -> Any:
    """What flows along a field, between the points of a grid."""
    rows, cols = f.shape
    cell_ys, cell_xs = np.meshgrid(np.arange(rows), np.arange(cols))
    center_xs = (cell_xs - vx).ravel()
    center_ys = (cell_ys - vy).ravel()
    left_ix = np.floor(center_xs).astype(int)
    top_ix = np.floor(center_ys).astype(int)
    rw = center_xs - left_ix
    bw = center_ys - top_ix
    left_ix = np.mod(left_ix, rows)
    right_ix = np.mod(left_ix + 1, rows)
    top_ix = np.mod(top_ix, cols)
    bot_ix = np.mod(top_ix + 1, cols)
    flat = (1 - rw) * ((1 - bw) * f[left_ix, top_ix] + bw * f[left_ix, bot_ix]) + rw * (
        (1 - bw) * f[right_ix, top_ix] + bw * f[right_ix, bot_ix]
    )
    return np.reshape(flat, (rows, cols))


def fluid(params: Any, smoke: Any, target: Any, n: int) -> Any:
    """Smoke that is to look like a picture."""
    vx = np.reshape(params[: n * n], (n, n))
    vy = np.reshape(params[n * n :], (n, n))
    for t in range(3):
        vx_updated = advect(vx, vx, vy)
        vy_updated = advect(vy, vx, vy)
        vx, vy = project(vx_updated, vy_updated)
        smoke = advect(smoke, vx, vy)
    return np.mean((target - smoke) ** 2)


def gravity(state: Any, masses: Any, steps: int, dt: float) -> Any:
    """Bodies that attract one another; forces pair by pair, in place."""
    n = len(masses)
    pos, vel = state[:n].copy(), state[n:].copy()
    for _ in range(steps):
        acc = np.zeros_like(pos)
        for i in range(n):
            for j in range(i + 1, n):
                d = pos[j] - pos[i]
                f = d / (np.dot(d, d) + 0.01) ** 1.5
                acc[i] += masses[j] * f
                acc[j] -= masses[i] * f
        vel += dt * acc
        pos += dt * vel
    return 0.5 * np.sum(masses[:, None] * vel**2) + np.sum(pos * pos)


def cart_pole(controls: Any, dt: float = 0.05) -> Any:
    """What it costs to swing a pole up."""
    x, theta, dx, dtheta = 0.0, np.pi, 0.0, 0.0
    cost = 0.0
    m_c, m_p, length, g = 1.0, 0.3, 0.5, 9.81
    for u in controls:
        s, c = np.sin(theta), np.cos(theta)
        ddx = (u + m_p * s * (length * dtheta**2 + g * c)) / (m_c + m_p * s**2)
        ddtheta = (-u * c - m_p * length * dtheta**2 * c * s - (m_c + m_p) * g * s) / (
            length * (m_c + m_p * s**2)
        )
        x, theta = x + dt * dx, theta + dt * dtheta
        dx, dtheta = dx + dt * ddx, dtheta + dt * ddtheta
        cost += dt * (0.01 * u**2 + x**2 + (1.0 + np.cos(theta)) ** 2)
    return cost + 10.0 * (theta**2 + dtheta**2)


def wave(c: Any, u0: Any, steps: int) -> Any:
    """The wave equation with three time levels in one array."""
    n = u0.size
    u = np.zeros((steps + 1, n))
    u[0] = u0
    u[1] = u0
    for t in range(1, steps):
        u[t + 1, 1:-1] = (
            2 * u[t, 1:-1] - u[t - 1, 1:-1] + c[1:-1] ** 2 * (u[t, 2:] - 2 * u[t, 1:-1] + u[t, :-2])
        )
        u[t + 1, 0] = u[t + 1, 1]
        u[t + 1, -1] = 0.0
    return np.sum(u[-1] ** 2)


def shallow_water(h0: Any, steps: int, dt: float = 0.01) -> Any:
    """Heights and flows on a ring, written into."""
    h = h0.copy()
    q = np.zeros_like(h)
    dx = 1.0 / h.shape[0]
    for _ in range(steps):
        flux = q**2 / h + 0.5 * h**2
        q[1:-1] -= dt / (2 * dx) * (flux[2:] - flux[:-2])
        h[1:-1] -= dt / (2 * dx) * (q[2:] - q[:-2])
        q[0], q[-1] = -q[1], -q[-2]
        h[0], h[-1] = h[1], h[-2]
    return np.sum((h - 1.0) ** 2)


def mean_field(J: Any, field: Any, beta: float, sweeps: int) -> Any:
    """Spins that are updated one after another, in place."""
    n = field.shape[0]
    m = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            m[i] = np.tanh(beta * (J[i] @ m - J[i, i] * m[i] + field[i]))
    return -0.5 * m @ J @ m - field @ m


def epidemic(theta: Any, data: Any, dt: float = 0.5) -> Any:
    """A model of the susceptible, infected and recovered, fitted by RK4."""
    beta, gamma = np.exp(theta)

    def rhs(y: Any) -> Any:
        S, I, R = y
        return np.array([-beta * S * I, beta * S * I - gamma * I, gamma * I])

    y = np.array([0.99, 0.01, 0.0])
    loss = 0.0
    for k in range(len(data)):
        k1 = rhs(y)
        k2 = rhs(y + 0.5 * dt * k1)
        k3 = rhs(y + 0.5 * dt * k2)
        k4 = rhs(y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        loss += (y[1] - data[k]) ** 2
    return loss


def lenses(params: Any, surfaces: Any, heights: Any) -> Any:
    """Rays through lenses by matrices, and how far apart they arrive."""
    spots = []
    for y in heights:
        ray = np.array([y, 0.0])
        for (distance, n1, n2), curvature in zip(surfaces, params):
            transfer = np.array([[1.0, distance], [0.0, 1.0]])
            refract = np.array([[1.0, 0.0], [curvature * (n1 - n2) / n2, n1 / n2]])
            ray = refract @ transfer @ ray
        spots.append(ray[0] + 2.0 * ray[1])
    return np.var(np.array(spots)) + 0.1 * np.sum(params**2)


def rotation(angle: Any, axis: str) -> Any:
    """About one of the axes."""
    c, s = np.cos(angle), np.sin(angle)
    if axis == "x":
        return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    elif axis == "y":
        return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def robot_arm(angles: Any, lengths: Any, target: Any) -> Any:
    """The distance of a hand from a target, and bent joints."""
    T = np.eye(4)
    axes = "zyyxyx"
    for q, length, axis in zip(angles, lengths, axes):
        step = np.eye(4)
        step[:3, :3] = rotation(q, axis)
        step[:3, 3] = step[:3, :3] @ np.array([length, 0.0, 0.0])
        T = T @ step
    position = T[:3, 3]
    return np.linalg.norm(position - target) ** 2 + 1e-2 * np.sum(angles**2)


def wing(shape: Any, n: int = 12, steps: int = 6) -> Any:
    """Lift over drag of an obstacle in a flow, with where and masks."""
    occlusion = 1.0 / (1.0 + np.exp(-shape))
    vx = np.ones((n, n)) * (1.0 - occlusion)
    vy = np.zeros((n, n))
    for _ in range(steps):
        vx, vy = project(vx, vy)
        vx, vy = vx * (1.0 - occlusion), vy * (1.0 - occlusion)
        vx = np.where(np.arange(n)[:, None] == 0, 1.0, vx)
    return np.mean(vy) / (np.mean(np.abs(1.0 - vx)) + 1e-3)


def pendulum(params: Any, q0: float, n: int) -> Any:
    """An object whose state changes step by step."""
    body = Pendulum(q0, 0.0, length=params[0], friction=params[1])
    energy = 0.0
    for _ in range(n):
        body.step(0.02)
        energy += body.energy()
    return energy / n


class Pendulum:
    """Its angle and speed."""

    def __init__(self, q: Any, p: Any, *, length: Any, friction: Any = 0.0) -> None:
        self.q = q
        self.p = p
        self.length = length
        self.friction = friction
        self.time = 0.0

    def step(self, dt: float) -> None:
        """Symplectic Euler."""
        self.p += dt * (-9.81 / self.length * np.sin(self.q) - self.friction * self.p)
        self.q += dt * self.p
        self.time += dt

    def energy(self) -> Any:
        """Of motion and height."""
        return 0.5 * (self.length * self.p) ** 2 + 9.81 * self.length * (1 - np.cos(self.q))


def cases() -> list[tuple[Any, tuple[Any, ...]]]:
    """Each program with its arguments; the first is differentiated."""
    r = np.random.default_rng(2)
    return [
        (fluid, (r.normal(size=128) * 0.3, r.random((8, 8)), r.random((8, 8)), 8)),
        (gravity, (r.normal(size=(8, 3)), 1.0 + r.random(4), 8, 0.01)),
        (cart_pole, (r.normal(size=40),)),
        (wave, (0.5 + 0.1 * r.random(40), np.exp(-0.1 * (np.arange(40) - 20.0) ** 2), 25)),
        (shallow_water, (1.0 + 0.1 * np.sin(np.arange(32) * 0.2), 20)),
        (mean_field, (r.normal(size=(8, 8)) * 0.3, r.normal(size=8), 0.8, 4)),
        (epidemic, (np.array([0.3, -1.2]), r.random(15) * 0.1)),
        (
            lenses,
            (
                np.array([0.3, -0.2, 0.1, 0.25]),
                [(1.0, 1.0, 1.5), (0.2, 1.5, 1.0), (0.5, 1.0, 1.6), (0.3, 1.6, 1.0)],
                np.linspace(-0.5, 0.5, 5),
            ),
        ),
        (
            robot_arm,
            (r.normal(size=6) * 0.5, np.array([0.3, 0.4, 0.4, 0.2, 0.1, 0.1]), np.array([0.5, 0.4, 0.3])),
        ),
        (wing, (r.normal(size=(12, 12)),)),
        (pendulum, (np.array([0.8, 0.1]), 1.0, 50)),
    ]
