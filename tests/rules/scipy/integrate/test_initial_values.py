"""Initial value problems against closed forms and finer solves, in both modes, by every method."""

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import integrate
from scipy.integrate import solve_ivp

import chainrules as cr
from chainrules.core import UnsupportedArgument
from chainrules.rules.scipy.integrate import sensitivities, slopes, trajectory

TOLERANCE = 1e-6
TOLERANCES: dict[str, Any] = {"rtol": TOLERANCE, "atol": TOLERANCE}
METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")
GRAVITY = 9.81


def decay(t, y, a):
    return -a * y


def fall(t, y):
    return [y[1], -GRAVITY]


def height(t, y):
    return y[0]


def ground(t, y):
    return y[0]


ground.terminal, ground.direction = True, -1  # type: ignore[attr-defined]  # as SciPy has it


def of(f, span, y0, **options):
    return solve_ivp(f, span, y0, **(TOLERANCES | options))


def thrown(t):
    return of(fall, (0.0, 20.0), [t, 3.0 * t], events=ground)


def swung(t, **options):
    """A pendulum's small swings, with the events of both its coordinates."""
    return of(
        lambda s, y, a: [y[1], -(a**2) * y[0]], (0.0, 5.0), [1.0, 0.0], args=(t,),
        events=[lambda s, y, a: y[0], lambda s, y, a: y[1] - 0.1 * a], rtol=1e-8, atol=1e-8, **options,
    )  # fmt: skip


def flight(t):
    """When what is thrown from t with 3 t upwards meets the ground."""
    return (3 * t + np.sqrt(9 * t * t + 2 * GRAVITY * t)) / GRAVITY


# each program with a closed form of its value
PROGRAMS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "args": (lambda t: of(decay, (0.0, 1.0), [1.0], args=(t,)).y[0, -1], lambda t: np.exp(-t)),
    "captured": (
        lambda t: of(lambda s, y: -t * y + s, (0.0, 1.0), [1.0]).y[0, -1],
        lambda t: (1 + 1 / t**2) * np.exp(-t) + 1 / t - 1 / t**2,
    ),
    "start": (lambda t: of(decay, (0.0, 1.0), [t * t], args=(1.0,)).y[0, -1], lambda t: t * t * np.exp(-1.0)),
    "first time": (
        lambda t: of(lambda s, y: -s * y, (t, 2.0), [1.0]).y[0, -1],
        lambda t: np.exp((t * t - 4) / 2),
    ),
    "last time": (lambda t: of(decay, (0.0, t), [1.0], args=(1.0,)).y[0, -1], lambda t: np.exp(-t)),
    "the last time itself": (lambda t: of(decay, (0.0, t), [1.0], args=(1.0,)).t[-1] ** 2, lambda t: t * t),
    "towards the past": (
        lambda t: of(decay, (t, 0.5), [1.0], args=(t,)).y[0, -1],
        lambda t: np.exp(t * (t - 0.5)),
    ),
    "times that move": (
        lambda t: np.sum(of(lambda s, y: -t * y, (0.0, 2.0), [1.0], t_eval=np.array([0.0, t, 1.5])).y ** 2),
        lambda t: 1 + np.exp(-2 * t * t) + np.exp(-3.0 * t),
    ),
    "a Jacobian that captured": (
        lambda t: of(
            lambda s, y: -t * y**2, (0.0, 1.0), [1.0], method="BDF", jac=lambda s, y: np.diag(-2 * t * y)
        ).y[0, -1],
        lambda t: 1 / (1 + t),
    ),
    "odeint, a Jacobian that captured": (
        lambda t: integrate.odeint(
            lambda y, s: -t * y**2, [1.0], [0.0, 1.0], Dfun=lambda y, s: np.diag(-2 * t * y)
        )[-1, 0],
        lambda t: 1 / (1 + t),
    ),
    "dense": (
        lambda t: of(decay, (0.0, 2.0), [1.0], args=(t,), dense_output=True).sol(t)[0],
        lambda t: np.exp(-t * t),
    ),
    "dense, many times": (
        lambda t: np.sum(
            of(decay, (0.0, 2.0), [1.0], args=(t,), dense_output=True).sol(np.array([1.5, 0.5]))
        ),
        lambda t: np.exp(-1.5 * t) + np.exp(-0.5 * t),
    ),
    "time of an event": (lambda t: thrown(t).t_events[0][0], flight),
    "state at an event": (lambda t: thrown(t).y_events[0][0, 1], lambda t: 3 * t - GRAVITY * flight(t)),
    "terminal time": (lambda t: thrown(t).t[-1], flight),
    "terminal state": (lambda t: thrown(t).y[1, -1], lambda t: 3 * t - GRAVITY * flight(t)),
    "one of several events": (lambda t: swung(t).t_events[0][1], lambda t: 1.5 * np.pi / t),
    "state at one of several": (
        lambda t: t * swung(t).y_events[1][0, 0],
        lambda t: -t * np.sqrt(1 - 0.01),
    ),
    "events and times": (
        lambda t: swung(t, t_eval=[0.5, 1.0, 3.0]).y[0, 1] + swung(t, t_eval=[0.5]).t_events[0][0],
        lambda t: np.cos(t) + 0.5 * np.pi / t,
    ),
    "several states at once": (
        lambda t: of(lambda s, y: -t * y, (0.0, 1.0), [1.0, 2.0], vectorized=True, method="Radau").y[1, -1],
        lambda t: 2 * np.exp(-t),
    ),
    "complex": (
        lambda t: of(lambda s, y: 1j * t * y, (0.0, 1.0), np.array([1.0 + 0j])).y[0, -1].real,
        lambda t: np.cos(t),
    ),
    "a driven one, whose adjoint is at rest": (
        lambda t: of(lambda s, y: [np.cos(7 * t * s)], (0.0, 3.0), [0.0]).y[0, -1],
        lambda t: np.sin(21 * t) / (7 * t),
    ),
    "a Jacobian": (
        lambda t: of(decay, (0.0, 1.0), [1.0], args=(t,), method="BDF", jac=lambda s, y, a: [[-a]]).y[0, -1],
        lambda t: np.exp(-t),
    ),
    "a state that rests at zero": (
        lambda t: of(lambda s, y: [y[1], -y[0]], (0.0, 1.0), [0.0, t * 0.0 + (t - 1.1)]).y[0, -1],
        lambda t: np.sin(1.0) * (t - 1.1),
    ),
    "odeint": (
        lambda t: integrate.odeint(lambda y, s, a: -a * y, [t], [0.0, 0.5, t], (2.0,))[-1, 0],
        lambda t: t * np.exp(-2 * t),
    ),
    "odeint, the time first": (
        lambda t: np.sum(integrate.odeint(lambda s, y: -t * y, 1.0, np.array([0.0, 1.0]), tfirst=True)),
        lambda t: 1 + np.exp(-t),
    ),
}
SECOND = ("args", "first time", "last time", "terminal state")


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_modes(name):
    f, closed = PROGRAMS[name]
    expected = cr.grad(closed)(1.1)
    assert cr.grad(f)(1.1) == pytest.approx(expected, rel=10 * TOLERANCE, abs=10 * TOLERANCE)
    assert cr.derivative(f)(1.1) == pytest.approx(expected, rel=10 * TOLERANCE, abs=10 * TOLERANCE)


@pytest.mark.parametrize("name", SECOND)
def test_second_order(name):
    f, closed = PROGRAMS[name]
    expected = cr.grad(cr.grad(closed))(1.1)
    assert cr.grad(cr.grad(f))(1.1) == pytest.approx(expected, rel=10 * TOLERANCE, abs=10 * TOLERANCE)
    assert cr.derivative(cr.grad(f))(1.1) == pytest.approx(expected, rel=10 * TOLERANCE, abs=10 * TOLERANCE)


def circle(t, y, a):
    """Van der Pol's oscillator: a limit cycle, neither stiff nor linear."""
    return np.array([y[1], a * (1 - y[0] ** 2) * y[1] - y[0]])


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method):
    """The reference is a finer solve, by differences."""

    def f(a, tolerance=TOLERANCE, method=method):
        return solve_ivp(circle, (0.0, 2.0), [2.0, 0.0], method, args=(a,), rtol=tolerance, atol=tolerance).y[
            0, -1
        ]

    h = 1e-3
    expected = (f(1.2 + h, 1e-13, "DOP853") - f(1.2 - h, 1e-13, "DOP853")) / (2 * h)
    assert cr.grad(f)(1.2) == pytest.approx(expected, rel=10 * TOLERANCE)
    assert cr.derivative(f)(1.2) == pytest.approx(expected, rel=10 * TOLERANCE)


# Robertson's chemical reaction, whose rates differ by nine orders of magnitude.
RATES = np.array([0.04, 1e4, 3e7])


def robertson(t, y, rates):
    slow, fast, faster = rates[0] * y[0], rates[1] * y[1] * y[2], rates[2] * y[1] ** 2
    return np.array([fast - slow, slow - fast - faster, faster])


def reacted(rates, method="Radau", tolerance=1e-5):
    return solve_ivp(
        robertson, (0.0, 40.0), [1.0, 0.0, 0.0], method, args=(rates,), rtol=tolerance, atol=1e-6 * tolerance
    ).y[:2, -1]


@pytest.mark.parametrize("method", ["BDF", "Radau", "LSODA"])
def test_stiff(method):
    expected = np.empty((2, 3))
    for i in range(3):
        step = 1e-3 * RATES * np.eye(3)[i]
        expected[:, i] = (
            reacted(RATES + step, tolerance=1e-9) - reacted(RATES - step, tolerance=1e-9)
        ) / 2e-3
    for j in range(2):
        found = cr.grad(lambda rates, j=j: reacted(rates, method)[j])(RATES) * RATES
        np.testing.assert_allclose(found, expected[j], rtol=1e-4)
    along = cr.jvp(lambda rates: reacted(rates, method), (RATES,), (RATES,))[1]
    np.testing.assert_allclose(along, np.sum(expected, axis=1), rtol=1e-4)


def test_structured_parameters():
    def f(p):
        return of(lambda t, y: -p["rate"] * y + p["feed"][0], (0.0, 1.0), [1.0]).y[0, -1]

    g = cr.grad(f)({"rate": 1.5, "feed": np.array([0.3, 7.0]), "name": "tank"})
    assert g["rate"] == pytest.approx(-np.exp(-1.5) * 0.8 - 0.3 * (1 - np.exp(-1.5)) / 1.5**2, rel=1e-5)
    np.testing.assert_allclose(g["feed"], [(1 - np.exp(-1.5)) / 1.5, 0.0], rtol=1e-5)


def test_the_solvers_own_times_stay():
    def middle(t):
        return of(decay, (0.0, t), [1.0], args=(1.0,)).t[1]

    assert cr.grad(middle)(1.0) == 0.0
    assert cr.derivative(middle)(1.0) == 0.0


def test_refused_where_a_derivative_is_asked_for():
    def explodes(a):
        return solve_ivp(lambda t, y: a * y * y, (0.0, 2.0), [1.0])

    assert explodes(1.0).status == -1
    assert cr.grad(lambda a: a + explodes(1.0).y[0, -1] * 0)(1.0) == 1.0
    with pytest.raises(cr.NotDifferentiableError, match=r"RK45 did not reach the end.*step size"):
        cr.grad(lambda a: explodes(a).y[0, -1])(1.0)
    with pytest.raises(cr.NotDifferentiableError, match="outside of the interval"):
        cr.grad(lambda a: of(decay, (0.0, 1.0), [1.0], args=(a,), dense_output=True).sol(2.0)[0])(1.0)
    with pytest.raises(UnsupportedArgument, match="full_output"):
        cr.grad(lambda a: integrate.odeint(lambda y, t: -a * y, 1.0, [0.0, 1.0], full_output=1)[0][-1, 0])(
            1.0
        )


@pytest.mark.parametrize("method", ["RK45", "BDF"])
def test_long_integrations_are_integrated_anew_in_stretches(method, monkeypatch):
    def f(a):
        return of(circle, (0.0, 6.0), [2.0, 0.0], args=(a,), method=method, t_eval=[2.0, 6.0]).y[0, :] @ [
            1.0,
            2.0,
        ]

    whole = cr.grad(f)(1.2)
    monkeypatch.setattr(trajectory, "FEW", 4)
    assert cr.grad(f)(1.2) == pytest.approx(whole, rel=1e-4)


def test_memory_grows_with_the_root_of_the_steps():
    def peak(steps):
        y = np.ones(50)
        settings = {"method": "RK45", "rtol": 1e-3, "atol": 1e-3, "max_step": 1.0, "own": {}}
        tracemalloc.start()
        try:
            path = trajectory.Trajectory(lambda t, y: 0.0 * y, 0.0, y, float(steps), (), settings)
            for _ in path.backwards():
                pass
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(5000) < 12 * peak(50)


def test_memory_of_a_gradient_over_a_hundred_times_the_steps():
    """LSODA is not measured: SciPy never frees the work arrays of its runs."""

    def peak(end):
        def loss(rate):
            y = of(ring, (0.0, end), np.ones(80), method="DOP853", args=(rate,), t_eval=[end], rtol=1e-3)
            return np.sum(y.y[:, -1])

        gradient = cr.grad(loss)
        gc.collect()
        tracemalloc.start()
        try:
            gradient(2.0)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(2.0)  # which makes what is made once
    assert peak(200.0) < 12 * peak(2.0)


def ring(t, y, rate):
    """A rotation of pairs, slowly damped."""
    half = len(y) // 2
    return np.concatenate([y[half:], -rate * y[:half] - 0.01 * y[half:]])


def pulse(t, y, p):
    """A state that is driven for a moment: λ is at rest and does not see it. The load of p[1] has size 4."""
    return np.array([p[0] * np.exp(-(((t - p[1]) / 0.05) ** 2))])


@pytest.mark.parametrize("method", METHODS)
def test_a_load_between_the_steps_of_the_adjoint_is_seen(method):
    def f(p):
        return of(pulse, (0.0, 9.0), [0.0], args=(p,), method=method, max_step=0.1).y[0, -1]

    found = cr.grad(f)(np.array([2.0, 7.3]))
    np.testing.assert_allclose(found, [0.05 * np.sqrt(np.pi), 0.0], rtol=1e-5, atol=4e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_gradient_by_many_parameters_takes_few_pullbacks(method, monkeypatch):
    """Each number of a gradient is right, and what it takes is not more than a few solves."""
    counted = []

    def counting(pull):
        def counted_pull(self, *x):
            counted.append(x)
            return pull(self, *x)

        return counted_pull

    for way in (slopes.Followed, slopes.Ready):
        for name in ("slopes", "both"):
            monkeypatch.setattr(way, name, counting(getattr(way, name)))
    monkeypatch.setattr(sensitivities.Varied, "slope", counting(sensitivities.Varied.slope))
    rng = np.random.default_rng(0)
    weights, start = 0.5 * rng.normal(size=(4, 4)), rng.normal(size=4)

    def f(weights, method=method, tolerance=TOLERANCE):
        return solve_ivp(
            lambda t, y, w: np.tanh(w @ y) - y, (0.0, 3.0), start, method, args=(weights,), rtol=tolerance,
            atol=tolerance,
        )  # fmt: skip

    expected = cr.grad(lambda w: np.sum(f(w, "DOP853", 1e-12).y[:, -1] ** 2))(weights)
    del counted[:]
    found = cr.grad(lambda w: np.sum(f(w).y[:, -1] ** 2))(weights)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=10 * TOLERANCE * np.max(np.abs(expected)))
    assert 0 < len(counted) < 6 * f(weights).nfev


@pytest.mark.parametrize("derivative", [cr.grad, cr.derivative])
def test_an_event_without_slope_is_refused(derivative):
    """g = ±√|y − 1|³ changes sign without a slope, so that nothing says how its time moves."""

    def passing(t, y):
        return np.sign(y[0] - 1.0) * np.abs(y[0] - 1.0) ** 1.5

    def f(a):
        return of(lambda t, y: [2 * a * t], (0.0, 2.0), [0.0], events=passing).t_events[0][0]

    assert f(1.0) == pytest.approx(1.0, abs=1e-3)
    with pytest.raises(cr.NotDifferentiableError, match="singular at the solution"):
        derivative(f)(1.0)
