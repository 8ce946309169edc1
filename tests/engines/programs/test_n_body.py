"""N bodies by leapfrog (Verlet 1967; Aarseth, Gravitational N-Body Simulations), moved in place."""

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


class Body:
    def __init__(self, mass, position, velocity):
        self.mass = mass
        self.position = position
        self.velocity = velocity
        self.force = np.zeros(2)


class System:
    def __init__(self, bodies, softening=0.1):
        self.bodies = bodies
        self.softening = softening
        self.accelerate()

    def accelerate(self):
        for body in self.bodies:
            body.force[:] = 0.0
        for i, a in enumerate(self.bodies):
            for b in self.bodies[i + 1 :]:
                d = b.position - a.position
                pull = a.mass * b.mass * d / (d @ d + self.softening**2) ** 1.5
                a.force += pull
                b.force -= pull

    def step(self, h):
        for body in self.bodies:
            body.velocity += h / 2 * body.force / body.mass
            body.position += h * body.velocity
        self.accelerate()
        for body in self.bodies:
            body.velocity += h / 2 * body.force / body.mass

    @property
    def energy(self):
        kinetic = sum(0.5 * b.mass * b.velocity @ b.velocity for b in self.bodies)
        potential = 0.0
        for i, a in enumerate(self.bodies):
            for b in self.bodies[:i]:
                d = a.position - b.position
                potential -= a.mass * b.mass / np.sqrt(d @ d + self.softening**2)
        return kinetic + potential


def started(masses, positions, velocities):
    rows = zip(masses, positions, velocities, strict=True)
    return System([Body(m, x.copy(), v.copy()) for m, x, v in rows])


def drift(masses, positions, velocities, steps=4, h=0.05):
    system = started(masses, positions, velocities)
    before = system.energy
    for _ in range(steps):
        system.step(h)
    return system.energy - before + np.sum(system.bodies[0].position ** 2)


MASSES = np.array([1.0, 0.5, 0.8])
POSITIONS = np.array([[0.0, 0.1], [1.0, 0.0], [-0.3, 0.9]])
VELOCITIES = np.array([[0.1, 0.0], [0.0, 0.7], [-0.5, -0.1]])


def test_by_masses_positions_and_velocities():
    check_grads(drift, MASSES, POSITIONS, VELOCITIES, order=1)


def test_second_order_by_the_masses():
    check_grads(lambda m: drift(m, POSITIONS, VELOCITIES, 1), MASSES)


def test_the_gradient_of_the_energy_is_minus_the_force():
    gradient = cr.grad(lambda x: started(MASSES, x, VELOCITIES).energy)(POSITIONS)
    forces = [body.force for body in started(MASSES, POSITIONS, VELOCITIES).bodies]
    np.testing.assert_allclose(gradient, -np.array(forces), atol=1e-15)
