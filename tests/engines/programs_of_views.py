"""Programs that go over `d.items()`, `d.values()` and `d.keys()` while d changes.

Loaded a second time by a name that ends in "beside", it has a class whose methods of these names change
its object, so that the text no longer says that `d.items()` changes nothing.
"""

import functools
import itertools
import math
import operator
from collections import OrderedDict, defaultdict

import numpy as np

if __name__.endswith("beside"):

    class Counting:
        """Not used: it is enough that it is here."""

        def __init__(self, d):
            self.d, self.asked = d, 0.0

        def items(self):
            self.asked = self.asked + 1.0
            return self.d.items()

        def values(self):
            self.asked = self.asked + 1.0
            return self.d.values()

        def keys(self):
            self.asked = self.asked + 1.0
            return self.d.keys()

        def __setitem__(self, key, value):
            self.d[key] = value


def three(x):
    return {"a": x[0], "b": x[1], "n": x[2]}


def replaced_by_items(x):
    d, s = three(x), 0.0
    for _, v in d.items():
        d["n"] += v * v
        s += v
    return s + d["n"]


def replaced_by_values(x):
    d = three(x)
    for v in d.values():
        d["n"] = d["n"] * v
    return d["n"]


def replaced_by_keys(x):
    d = three(x)
    keys = d.keys()
    for k in keys:
        d["n"] = d["n"] * d[k]
    return d["n"]


def every_entry(x):
    d = three(x)
    for k, v in d.items():
        d[k] = v * v + d["a"]
    return sum(d.values())


def values_in_a_variable(x):
    d = three(x)
    values = d.values()
    for v in values:
        d["n"] = d["n"] * v
    return d["n"]


def items_in_a_variable(x):
    d, s = three(x), 0.0
    entries = d.items()
    for _, v in entries:
        d["n"] = d["n"] + v * v
        s += v
    return s + d["n"]


def a_total_among_them(x):
    d = three(x)
    total = sum(d.values())
    d["total"] = total
    values = d.values()
    d["total"] = d["total"] * sum(values) * d["b"]
    return sum(values)


def a_list_of_them_stays(x):
    d = three(x)
    for k, v in list(d.items()):
        d["n"] = d["n"] * v
        d[k + "2"] = v * v
    return sum(d.values())


def a_sorted_list_of_them(x):
    d = three(x)
    for _, v in sorted(d.items()):
        d["n"] = d["n"] + v * v
    least, *_ = sorted(d.values())
    d["a"] = least * least
    return d["n"] * d["a"]


def beside_one_another(x):
    d, s = three(x), 0.0
    for k, v, y in zip(d, d.values(), x, strict=True):
        d["n"] = d["n"] * v + y
        s = s + v * d[k]
    for a, b in zip(d.values(), d.values(), strict=True):
        d["n"] = d["n"] * a
        s = s + a * b
    return s + d["n"]


def keys_that_are_numbers(x):
    d, s = {2: x[0], 1: x[1], 0: x[2]}, 0.0
    for y, v in zip(x, d.values(), strict=True):
        d[0] = d[0] * y * v
    for i, v in enumerate(d.values()):
        d[0] = d[0] + v * i
        s = s + v * i
    return s + d[0]


def counted(x):
    d, s = three(x), 0.0
    for i, (_, v) in enumerate(d.items(), 1):
        d["n"] = d["n"] * v + i
        s = s + v * i
    return s + d["n"]


def last_first(x):
    d, s = three(x), 0.0
    for v in reversed(d.values()):
        d["a"] = d["a"] * v
        s = s + v
    entries = d.items()
    for _, v in reversed(entries):
        d["a"] = d["a"] + v * s
    return d["a"]


def squared(t):
    return t * t


def mapped(x):
    d, s = three(x), 0.0
    for v in map(squared, d.values()):
        d["n"] = d["n"] * v
        s = s + v
    return s * d["n"]


def one_in_another(x):
    d, s = {"p": three(x), "q": three(x * 2.0)}, 0.0
    for inner in d.values():
        for _, v in inner.items():
            inner["n"] = inner["n"] + v * v
            d["q"]["a"] = d["q"]["a"] * v
            s = s + v
    return s + d["p"]["n"] + d["q"]["n"]


def two_views(x):
    d = three(x)
    first = d.values()
    d["a"] = x[1] * x[2]
    second = d.items()
    d["b"] = x[0] ** 2
    return sum(p * q for p, (_, q) in zip(first, second, strict=True))


def grown_before(x):
    d = three(x)
    values, entries = d.values(), d.items()
    d["z"] = x[0] * x[1]
    s = sum(v * v for v in values)
    d.setdefault("y", s)
    return sum(v * v for _, v in entries) * len(values)


def shrunk_before(x):
    d = three(x)
    values = d.values()
    del d["a"]
    s = sum(v * v for v in values)
    taken = d.pop("n")
    return s + taken * sum(values)


def filled_anew(x):
    d = three(x)
    values = d.values()
    d.clear()
    d["q"] = x[0] * x[1]
    d |= {"a": x[0] * x[2]}
    d.update(b=x[1] ** 2)
    return sum(values)


def in_place(x):
    d = three(x)
    values = d.values()
    d["n"] += x[0] * x[1]
    d["a"] *= x[1]
    return sum(v * v for v in values)


def arrays_in_it(x):
    d = {"a": x * 2.0, "b": x * x}
    values = d.values()
    for v in values:
        v += 1.0
        v *= x
    d["b"] = d["b"] * d["a"]
    return sum(map(np.sum, values)) + sum(d["b"] * x)


def lists_in_it(x):
    d = {"a": [x[0], x[1]], "b": [x[2]]}
    lists = d.values()
    for v in lists:
        v.append(x[0] * x[1])
    return sum(sum(v) * v[0] for v in lists)


def by_another_name(x):
    d = three(x)
    e = d
    entries = e.items()
    d["a"] = x[2] ** 2
    return sum(v * v for _, v in entries)


def multiply(d, key, y):
    d[key] = d[key] * y


def by_a_function(x):
    d, s = three(x), 0.0
    values = d.values()
    for v in values:
        multiply(d, "n", v)
        s = s + v
    return s + d["n"]


def by_a_closure(x):
    d, s = three(x), 0.0
    values = d.values()

    def times(y):
        d["n"] = d["n"] * y

    for v in values:
        times(v)
        s = s + v
    return s + d["n"]


def both_given_to_a_function(x):
    def taken(d, values):
        s = 0.0
        for v in values:
            d["n"] = d["n"] * v + s
            s = s + v
        return s

    d = three(x)
    return taken(d, d.values()) * d["n"]


def both_returned(x):
    def made():
        d = three(x)
        return d, d.values()

    d, values = made()
    d["n"] = x[0] * x[1]
    return sum(values)


def keywords(x):
    def inner(**d):
        values = d.values()
        for v in values:
            d["n"] = d["n"] + v * d["a"]
        return d["n"]

    return inner(**three(x))


def left_early(x):
    d, s = three(x), 0.0
    for k, v in d.items():
        d["n"] = d["n"] * v
        if k == "b":
            break
    else:
        s = 5.0 * x[0]
    return s + d["n"]


def step_by_step(x):
    d, i = three(x), 0
    values = d.values()
    while i < 3:
        d["n"] = d["n"] + sum(values) * x[i]
        i += 1
    return d["n"]


def one_or_the_other(x):
    d = three(x)
    view = d.values() if x[0] > 0 else d.items()
    d["a"] = x[1] * x[1]
    return sum(view)


def other_dicts(x):
    d = OrderedDict(a=x[0], b=x[1], n=x[2])
    values = d.values()
    for v in values:
        d["n"] = d["n"] * v
    e = defaultdict(float)
    e["a"], e["n"] = x[0], d["n"]
    for _, v in e.items():
        e["n"] = e["n"] * v
    return d["n"] + e["n"] + e["absent"]


def taken_at_once(x):
    d = three(x)
    a, b, _ = d.values()
    d["a"] = a * b
    (_, v), *rest = d.items()
    d["b"] = max(*d.values()) * v + rest[0][1]
    d["n"] = math.fsum(d.values()) + math.prod(d.values())
    d["a"] = functools.reduce(operator.mul, d.values())
    vector = np.array(list(d.values())) @ np.stack([*d.values()])
    e = dict(d.items())
    d["a"] = vector * x[0]
    e.update(d.items())
    many = [x[0]]
    many.extend(d.values())
    d["a"] = many[0] * many[1]
    many += d.values()
    for v in itertools.chain(d.values(), e.values()):
        many = [*many, v * v]
    return sum(many) + sum([v * v for v in d.values()]) + sum({k: v * x[2] for k, v in d.items()}.values())


PROGRAMS = [
    *(replaced_by_items, replaced_by_values, replaced_by_keys, every_entry, values_in_a_variable),
    *(items_in_a_variable, a_total_among_them, a_list_of_them_stays, a_sorted_list_of_them),
    *(beside_one_another, keys_that_are_numbers, counted, last_first, mapped, one_in_another, two_views),
    *(grown_before, shrunk_before, filled_anew, in_place, arrays_in_it, lists_in_it, by_another_name),
    *(by_a_function, by_a_closure, both_given_to_a_function, both_returned, keywords, left_early),
    *(step_by_step, one_or_the_other, other_dicts, taken_at_once),
]


def grows_by_items(x):
    d = three(x)
    for k, v in d.items():
        d[k + "2"] = v
    return d["a"]


def grows_by_values(x):
    d = three(x)
    values = d.values()
    for v in values:
        d["z"] = v
    return d["a"]


def shrinks(x):
    d = three(x)
    for k in d:
        del d[k]
    return x[0]
