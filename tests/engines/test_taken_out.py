"""What is taken out of a container or an iterator is the object itself: who else holds it sees it change."""

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import Compared

TAKEN = {
    "pop": "t = [a]; q = t.pop(); q[0] = 5.0 * x[1]",
    "pop, augmented": "t = [a, a * 2.0]; q = t.pop(0); q += x",
    "pop of a dict": "t = {'a': a}; q = t.pop('a', None); q[0] = 5.0",
    "popitem": "t = {'a': a}; k, q = t.popitem(); q[0] = 5.0",
    "popleft": "t = deque([a]); q = t.popleft(); q[0] = 5.0",
    "a part": "t = [[a]]; q = t.pop()[0]; q[0] = 5.0",
    "twice": "t = [[a]]; q = t.pop().pop(); q[0] = 5.0",
    "at once": "t = [a]; t.pop()[0] = 5.0",
    "into another list": "t = [a]; r = []; r.append(t.pop()); r[0][0] = 5.0",
    "of an object": "t = [o]; u = t.pop(); u.arr[0] = 5.0",
    "in a test": "t = [a]; q = t.pop() if x[0] > 0 else None; q[0] = 5.0",
    "by a function": "t = [a]; q = taken(t); q[0] = 5.0",
    "by a method": "t = Stack([a]); q = t.pop(); q[0] = 5.0",
    "by a kept method": "t = [a]; p = t.pop; q = p(); q[0] = 5.0",
    "a graph": "todo = [o]; while todo:;     u = todo.pop();     u.w += 1.0;     u.arr *= x",
    "an operator": "q = [a] * 2; q[1][0] = 5.0",
    "a sum of lists": "q = [a] + [2.0]; q[0][0] = 5.0",
    "a key": "k = lambda v: changed(a); sorted([1.0], key=k)",
}
HELPERS = """
from collections import deque

class Box:
    def __init__(self, w, arr):
        self.w, self.arr = w, arr

class Stack:
    def __init__(self, items):
        self.items = items
    def pop(self):
        return self.items.pop()

def taken(t):
    return t.pop()

def changed(a):
    a[0] = a[1] * 3.0
    return 0.0

"""


def compared(lines):
    """A program of these lines, of an array, and an object with it, that other names hold."""
    body = "".join(f"    {line}\n" for line in lines.replace(":; ", ":\n").replace("; ", "\n").split("\n"))
    head = "def program(x):\n    a = x * 1.5\n    o = Box(x[0], a)\n"
    return Compared(f"{HELPERS}\n{head}{body}    return np.sum(a * a * x) + o.w * x[2]\n", {"np": np})


@pytest.mark.parametrize("lines", TAKEN.values(), ids=TAKEN)
def test_a_change_of_it_is_seen(lines):
    program = compared(lines)
    program.first_order()
    assert len(program.second_order()) == 4


def test_what_an_iterator_gave():
    program = compared("q = next(iter([a])); q[0] = 5.0")
    x = np.array([0.3, 0.7, 1.1])
    y, dy = rightly.jvp(program.f, (x,), (x,))
    h = 1e-6
    np.testing.assert_allclose(y, program.f(x))
    np.testing.assert_allclose(dy, (program.f(x + h * x) - program.f(x - h * x)) / (2 * h), 1e-6)
    rightly.grad(program.f)(x)


NAMED = """
class Node:
    def __init__(self, v):
        self.v, self.a = v, np.ones(2) * v

class Graph:
    def __init__(self, x):
        self.nodes, self.todo = [Node(x[0]), Node(x[1] * x[2])], []
        self.todo.extend(self.nodes)
    def NAME(self, *args):
        return self.todo.pop(0) if self.todo else self.nodes[0]
    def total(self):
        return sum(n.v * n.v + np.sum(n.a * n.a) for n in self.nodes)

def program(x):
    g = Graph(x)
    while g.todo:
        u = g.NAME()
        u.v = u.v * 3.0
        u.a[0] += u.v
    g.NAME(1).a[1] = x[2] ** 3
    return g.total()
"""


@pytest.mark.parametrize("name", ["take", "copy", "dot", "mean", "pop", "sum", "visit"])
def test_a_method_of_the_users_is_not_taken_for_one_of_arrays(name):
    Compared(NAMED.replace("NAME", name), {"np": np}).first_order()
