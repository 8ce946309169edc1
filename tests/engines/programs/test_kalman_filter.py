"""The Kalman filter and its log-likelihood (Anderson, Moore, Optimal Filtering, 1979), as a class."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


class KalmanFilter:
    def __init__(self, F, H, Q, R, m, P):
        self.F, self.H, self.Q, self.R = F, H, Q, R
        self.m, self.P = m, P
        self.log_likelihood = 0.0

    def predict(self):
        self.m = self.F @ self.m
        self.P = self.F @ self.P @ self.F.T + self.Q

    def update(self, y):
        innovation = y - self.H @ self.m
        S = self.H @ self.P @ self.H.T + self.R
        K = self.P @ self.H.T @ np.linalg.inv(S)
        self.m = self.m + K @ innovation
        self.P -= K @ S @ K.T
        _, logdet = np.linalg.slogdet(2 * np.pi * S)
        self.log_likelihood -= 0.5 * (logdet + innovation @ np.linalg.solve(S, innovation))


H = np.array([[1.0, 0.0]])
SEEN = np.array([0.1, 0.9, 2.2, 2.8, 4.1])


def log_likelihood(drift, noise, seen=SEEN):
    F = np.array([[1.0, 1.0], [0.0, drift]])
    Q = noise * np.array([[1 / 3, 1 / 2], [1 / 2, 1.0]])
    kf = KalmanFilter(F, H, Q, np.array([[0.2]]), np.zeros(2), np.eye(2))
    for y in seen:
        kf.predict()
        kf.update(np.array([y]))
    return kf.log_likelihood


def test_by_the_model():
    check_grads(log_likelihood, 0.95, 0.3)


def test_by_what_was_seen_it_is_the_normal_density_of_all_at_once():
    F, Q = np.array([[1.0, 1.0], [0.0, 0.95]]), 0.3 * np.array([[1 / 3, 1 / 2], [1 / 2, 1.0]])
    rows, joint, state = [], np.zeros((5, 5)), np.eye(2)
    for _ in range(5):
        state = F @ state @ F.T + Q
        rows.append(state)
    for s in range(5):
        for t in range(s, 5):
            joint[s, t] = joint[t, s] = (np.linalg.matrix_power(F, t - s) @ rows[s])[0, 0]
    expected = -np.linalg.solve(joint + 0.2 * np.eye(5), SEEN)
    np.testing.assert_allclose(cr.grad(log_likelihood, argnums=2)(0.95, 0.3, SEEN), expected, rtol=1e-9)
