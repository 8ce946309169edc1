"""Second derivatives through parts of containers: rows of `zip`, stores into views and masks, `**kwargs`."""

import functools
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table

from chainrules.testing import check_grads

table = Table()
X = np.array([0.3, 0.7, 1.1])


@table(X)
def one_item_of_one_row(x):
    rows = list(zip(x, x[1:] ** 2, strict=False))
    last = list({"a": x[0], "b": x[1] * x[2]}.items())[-1]
    return rows[0][1] * rows[1][0] + sorted(zip(x, x**3, strict=True))[1][1] + last[1] ** 2


@table(X)
def an_item_of_a_list_and_the_list_as_an_array(x):
    out = [x[0] * x[1], x[2]]
    rows = [(x[1], x[2]), x[:2] * x[0]]
    total = out[0] ** 2 * np.asarray(out).prod() + sum(v**2 for v in out) * np.mean(out)
    return total + rows[0][1] * np.sum(np.array(rows) ** 2)


def timed(function):
    def wrapped(*args, **kwargs):
        notes.calls += 1
        notes.latest = f"{function.__name__} of {len(args)}"
        return function(*args, **kwargs)

    notes: Any = functools.update_wrapper(wrapped, function)
    notes.calls = 0
    return notes


@timed
def scaled(v, *, by=2.0):
    return v**3 * by


@table(X)
def a_decorator_that_keeps_notes_on_its_function(x):
    return np.sum(scaled(x, by=x[0])) * scaled.calls**0


@table(X)
def stores_into_unnamed_views(x):
    a = np.outer(x, x)
    a.reshape(9)[1:4] += x**2
    a.T[2] *= x[0]
    return np.sum(a**3)


@table(X)
def one_number_into_many_places(x):
    a, kept = x * x, {"k": x[2]}
    a[x > 0.5] = kept["k"]
    a[[0, 0]] = x[:2] ** 2
    return np.sum(a**3) * kept["k"]


def completed(**fields):
    fields["area"] = fields["a"] ** 2
    fields.setdefault("b", 2.0)
    return fields.pop("a") * sum(fields.values())


def replaced(**fields):
    fields["a"] = fields["a"] * 2.0
    return np.sum(fields["a"])


def forgotten(**fields):
    a = fields["a"]
    fields["a"] = 0.0
    a *= 2.0
    return np.sum(a)


@table(X)
def keywords_whose_objects_stay_the_caller_s(x):
    a, b = x * 1.0, x * x
    return replaced(a=a) * np.sum(a * x) + forgotten(a=b) * np.sum(b)


@dataclass
class Spring:
    k: float
    forces: list = field(default_factory=list)


@table(X)
def keywords_that_a_function_changes(x):
    spring = Spring(x[1], [x[2] ** 2])
    return completed(a=x[0]) * completed(**{"a": x[1], "b": x[2]}) * replace(spring, k=x[0] ** 2).k


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_second_derivatives(f, x):
    check_grads(f, *x, order=2)
