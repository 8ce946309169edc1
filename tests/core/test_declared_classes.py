"""Rules of classes that are made as a program runs, declared when they are first called."""

import chainrules as cr
from chainrules.core.loading import declare_classes


class Base:
    """Its classes are made below, with a factor."""

    factor = 1.0

    def __new__(cls, x):
        return cls.factor * x


def declare(P):
    @cr.rrule(P, signature="x")
    def made_rrule(x: float):
        return P(x), lambda y_bar: (P.factor * y_bar,)

    @cr.frule(P, signature="x")
    def made_frule(tangents, x: float):
        return P(x), P.factor * tangents[0]


def test_a_class_gets_its_rules_when_it_is_first_called():
    declare_classes(Base, declare)
    for factor in (2.0, 3.0):
        made = type("Made", (Base,), {"factor": factor})
        assert cr.grad(lambda x, P=made: P(x) * x)(1.5) == 2 * factor * 1.5
        assert cr.jvp(lambda x, P=made: P(x), (1.5,), (1.0,)) == (factor * 1.5, factor)
