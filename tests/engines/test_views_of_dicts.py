"""Views of dicts show what the dict holds when they are read: never what it held before a change."""

import importlib.util
import pickle
from collections import OrderedDict
from types import SimpleNamespace

import numpy as np
import pytest
from tests.engines import programs_of_views
from tests.engines.programs_of_views import three

import chainrules as cr
from chainrules.core.sequences import View, view_of
from chainrules.tangents import Composite
from chainrules.testing import check_grads

X = np.array([1.3, 0.7, -0.4])


def loaded_beside():
    """The programs once more, in a module that has a class whose `items` changes its object."""
    file = str(programs_of_views.__file__)
    spec = importlib.util.spec_from_file_location("programs_of_views_beside", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert hasattr(module, "Counting")
    assert not hasattr(programs_of_views, "Counting")
    return module


BY_NAME = {"alone": programs_of_views, "beside": loaded_beside()}
MODULES = [pytest.param(module, id=name) for name, module in BY_NAME.items()]
EVERY = [
    pytest.param(f, id=f"{f.__name__}-{name}") for name, module in BY_NAME.items() for f in module.PROGRAMS
]


def in_a_field(x):
    o = SimpleNamespace(d=three(x))
    for v in o.d.values():
        o.d["n"] = o.d["n"] * v
    return o.d["n"]


def kept_and_read_in_time(x):
    d = three(x)
    kept = [d.values()]
    s = sum(kept[0])
    d["n"] = s * s
    return d["n"]


@pytest.mark.parametrize("f", [*EVERY, in_a_field, kept_and_read_in_time])
def test_views_agree_with_differences(f):
    check_grads(f, X, order=1)


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize(
    "name",
    [
        *("replaced_by_items", "replaced_by_values", "values_in_a_variable", "items_in_a_variable"),
        *("every_entry", "shrunk_before", "two_views", "one_in_another", "by_a_function"),
    ],
)
def test_second_derivatives_agree_with_differences(module, name):
    check_grads(getattr(module, name), X, order=2)


def run_in_both_modes(f):
    yield lambda: cr.grad(f)(X)
    yield lambda: cr.jvp(f, (X,), (X,))


@pytest.mark.parametrize("module", MODULES)
@pytest.mark.parametrize("name", ["grows_by_items", "grows_by_values", "shrinks"])
def test_a_dict_that_changes_its_size_meanwhile_raises_as_in_python(module, name):
    f = getattr(module, name)
    for run in (lambda: f(X), *run_in_both_modes(f)):
        with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
            run()


def grows_by_kept_keys(x):
    d = three(x)
    keys = d.keys()
    for k in keys:
        d[k + "more"] = x[0]
    return sum(d.values())


def test_a_dict_that_grows_in_a_loop_over_its_kept_keys_raises_as_in_python():
    for run in (lambda: grows_by_kept_keys(X), *run_in_both_modes(grows_by_kept_keys)):
        with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
            run()


def loses_one_and_gets_one(x):
    d, s = three(x), 0.0
    for k, v in d.items():
        del d[k]
        d[k] = v * v
        s = s + v
        if s > 100.0:
            break
    return s


def kept_in_a_list(x):
    d = three(x)
    kept = [d.values()]
    d["n"] = x[0] * x[1]
    return sum(kept[0])


def kept_in_a_tuple(x):
    d = three(x)
    kept = (1.0, d.items())
    d["n"] = x[0] * x[1]
    return sum(v for _, v in kept[1])


def kept_in_an_object(x):
    d = three(x)
    kept = SimpleNamespace(values=d.values())
    d["n"] = x[0] * x[1]
    return sum(kept.values)


def kept_by_a_dict_that_is_reordered(x):
    d = OrderedDict(a=x[0], b=x[1], n=x[2])
    values = d.values()
    d.move_to_end("a")
    return sum(i * v for i, v in enumerate(values))


def test_keys_that_come_and_go_meanwhile():
    for run in run_in_both_modes(loses_one_and_gets_one):
        run()


@pytest.mark.parametrize(
    "f", [kept_in_a_list, kept_in_a_tuple, kept_in_an_object, kept_by_a_dict_that_is_reordered]
)
def test_a_view_that_is_kept(f):
    for run in run_in_both_modes(f):
        run()


def test_a_view_looks_like_that_of_python():
    d = {"w": 1.0, "b": 2.0}
    values, entries = view_of(d, "values"), view_of(d, "items")
    assert (repr(values), repr(entries)) == (repr(d.values()), repr(d.items()))
    assert (len(values), 2.0 in values, entries[1]) == (2, True, ("b", 2.0))
    assert pickle.loads(pickle.dumps(values)) == (1.0, 2.0)
    assert Composite[View] is Composite[tuple]
    d["b"] = 3.0
    for read in (tuple, list, sum, lambda v: v[0], lambda v: 2.0 in v):
        with pytest.raises(cr.AliasedMutationError):
            read(values)
