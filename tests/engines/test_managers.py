"""Context managers that hold differentiated values."""

import contextlib

import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

import chainrules as cr

table = Table()


class Doubling:
    def __init__(self, v):
        self.v = v
        self.left = 0.0

    def __enter__(self):
        self.v = self.v * 2
        return self

    def __exit__(self, kind, error, traceback):
        self.left = self.v * 3
        return kind is ValueError


class Squared:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v * self.v

    def __exit__(self, *told):
        return False


@contextlib.contextmanager
def cubed(v):
    w = v * v * v
    yield w


class Shelf:
    def __init__(self, width, load):
        self.width, self.load = width, load


@table(2.0)
def of_what_turns_out_not_to_vary(x):
    shelf = Shelf(0.7, x)
    with cubed(shelf.width) as w:
        shelf.load = shelf.load * w
    return shelf.load * x


@table(2.0)
def entered_and_left(x):
    with Doubling(x) as d:
        y = d.v * x
    return y + d.left


@table(2.0)
def one_inside_another(x):
    with Squared(x) as a, Squared(a) as b:
        y = a * b
    with Doubling(x), contextlib.nullcontext(y) as z:
        z = z * x
    return y + z


@table(2.0)
def suppressed(x):
    y = x
    with Doubling(x) as d:
        y = y * d.v
        if x > 1:
            raise ValueError
        y = 0.0
    return y + d.left


@table(2.0)
def returned_from(x):
    with Doubling(x) as d:
        return d.v * x


@table(2.0)
def jumped_out_of(x):
    made = []
    s = 0.0
    for i in range(5):
        d = Doubling(x * i)
        made.append(d)
        with d as e:
            if i == 1:
                continue
            if i == 3:
                break
            s = s + e.v
    return s + sum(m.left for m in made)


@table(2.0)
def of_a_generator(x):
    with cubed(x) as w:
        y = w * x
    return y * y


@table(2.0)
def in_a_case(x):
    y = x
    for z in (x, [x, x], [x]):
        match z:
            case [w]:
                with Doubling(w) as d:
                    y = y * d.v
                    continue
            case [v, w] if (lambda q, k=y: q * k)(w) > 0:
                y = (lambda q, k=y: q * k)(v)
    return y


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_a_manager_agrees_with_differences(f, x):
    check(f, x)


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_an_exception_is_the_users_own(mode):
    left = []

    class Noting(Squared):
        def __exit__(self, kind, error, traceback):
            left.append(kind)
            return False

    def f(x):
        with Noting(x) as y:
            raise KeyError("mine")
        return y

    with pytest.raises(KeyError, match="mine"):
        mode(f)(2.0)
    assert left == [KeyError]


@contextlib.contextmanager
def pushed(stack, v):
    stack.append(v)
    yield stack
    stack.pop()


@pytest.mark.parametrize("mode", [cr.grad, cr.derivative])
def test_a_generator_that_changes_what_it_is_given(mode):
    def f(x):
        stack = [x]
        with pushed(stack, x * x) as s:
            y = sum(s)
        return y * sum(stack)

    mode(f)(2.0)


class Scaling:
    """An object that scales its weight, or that of another, as it ends."""

    def __init__(self, weight, other=None):
        self.weight, self.other = weight, other

    def __enter__(self):
        return self.other or self

    def __exit__(self, *error):
        changed = self.other or self
        changed.weight = changed.weight * 1.5


@contextlib.contextmanager
def scaling(o):
    yield o
    o.weight = o.weight * 1.5


@contextlib.contextmanager
def twice(v):
    yield 2.0 * v


def scaling_of(o):
    return Scaling(0.0, o)


def an_object_that_varies_when_it_ends(x):
    a = Scaling(2.0)
    with a as o:
        o.weight = x * x
    return a.weight


def an_object_that_ends_another(x):
    a = Scaling(2.0)
    with Scaling(1.0, a) as o, scaling_of(a):
        o.weight = x * x
    kept = [scaling_of(a)]
    with kept[0]:
        a.weight = a.weight * x
    return a.weight


def a_constant_of_what_varies_later(x):
    a = Scaling(2.0)
    with twice(a.weight) as v:
        a.weight = x * v
    return a.weight * v


@pytest.mark.parametrize(
    "f", [an_object_that_varies_when_it_ends, an_object_that_ends_another, a_constant_of_what_varies_later]
)
def test_what_varies_only_when_a_manager_ends_agrees_with_differences(f):
    check(f, (0.3,))


@pytest.mark.parametrize("mode", [rightly.grad, rightly.derivative])
def test_a_generator_that_changes_what_varies_when_it_ends(mode):
    def f(x):
        a = Scaling(2.0)
        with scaling(a) as o:
            o.weight = x * x
        return a.weight

    mode(f)(0.3)
