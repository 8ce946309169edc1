"""The cases of the document "Differentiable types" (DT), under its numbers."""

from dataclasses import dataclass

import chainrules as cr


@dataclass
class Vector:
    x: float
    y: float
    z: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)


def test_DT3_a_dataclass_needs_nothing_to_be_differentiated():
    """The document's gradient is a Vector; here, without a registration, it is the vector's `Composite`."""
    gradient = cr.grad(lambda v: (v + v).x)(Vector(1.0, 2.0, 3.0))
    assert isinstance(gradient, cr.Composite[Vector])
    assert (gradient.x, gradient.y, gradient.z) == (2.0, 0.0, 0.0)
