"""Objects that hold one another are refused where the ring is closed; those that share a part are not."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

X = np.array([0.3, 0.7, 1.1])


class Node:
    def __init__(self, value, parent=None):
        self.value, self.parent, self.children = value, parent, []

    def adopt(self, child):
        child.parent = self
        self.children.append(child)


def a_parent_and_its_child(x):
    parent, child = Node(x[0]), Node(x[1])
    parent.adopt(child)
    parent.value = x[2]
    return child.parent.value * child.value


def an_object_itself(x):
    node = Node(x[0])
    node.parent = node
    node.value = x[1]
    return node.parent.value


def two_dicts(x):
    a = {"value": x[0]}
    b = {"a": a}
    a["b"] = b
    return a["b"]["a"]["value"]


def a_list_in_itself(x):
    values = [x[0]]
    values.append(values)
    return values[1][1][0]


@pytest.mark.parametrize("f", [a_parent_and_its_child, an_object_itself, two_dicts, a_list_in_itself])
@pytest.mark.parametrize("mode", [cr.grad, lambda f: lambda x: cr.jvp(f, (x,), (x,))])
def test_rings(f, mode):
    mode(f)(X)


def test_what_is_shared_and_long_is_not():
    def program(x):
        shared = Node(x[0])
        chain = None
        for v in x:
            chain = Node(v * v, chain)
            chain.children.append(shared)
        shared.value = shared.value * x[1]
        total = 0.0
        while chain is not None:
            total = total * 0.5 + chain.value * chain.children[0].value
            chain = chain.parent
        return total

    check_grads(program, X, order=1)
