"""Declared cases: how they are found, what rules they reach, and how it is said that one is missing."""

import re

import numpy as np
import pytest
from tests.testing.package import write_package

from chainrules import rules as rules
from chainrules.testing import DeclarationError, declare, exempt, with_tangent
from chainrules.testing.declared import Declared, cases_of, declared_for
from chainrules.testing.each import checks_of
from chainrules.testing.inventory import inventory, reached_by
from chainrules.testing.sweep import Plan, failure_of, sweep


@pytest.fixture
def package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name, **options: write_package(tmp_path, name, **options)


def test_every_rule_is_checked_at_its_cases(package):
    package("sound")
    count, outcomes = sweep(Plan("sound"))
    assert [(o.name, o.modes, o.cases, o.failures) for o in outcomes] == [
        ("sound.double", ("forward", "reverse"), 2, ()),
        ("sound.triple", ("forward", "reverse"), 1, ()),
    ]
    assert count == 2


def test_a_wrong_rule_is_a_failure_with_its_error(package):
    package("slanted", slope=3.3)
    outcome = next(sweep(Plan("slanted", only="triple"))[1])
    assert outcome.worst == pytest.approx(0.1, rel=0.1)
    assert re.search(r"check_rule of slanted\.triple: \w+ against differences", outcome.failures[0])


def test_a_rule_without_a_case_is_a_failure(package):
    package("partial", triple=False)
    outcomes = {o.name: o for o in sweep(Plan("partial"))[1]}
    assert outcomes["partial.double"].passed
    assert "no case is declared for partial.triple" in outcomes["partial.triple"].failures[0]
    checks = checks_of("partial")
    assert [c.case is None for c in checks] == [False, False, True]
    with pytest.raises(AssertionError, match=r"no case is declared for partial\.triple"):
        checks[-1]()


def test_an_exempt_rule_needs_no_case(package):
    package("excused", triple=False, exempt="exempt(excused.triple, why='its table is not public')")
    outcomes = {o.name: o for o in sweep(Plan("excused"))[1]}
    assert outcomes["excused.triple"].passed
    assert outcomes["excused.triple"].exempt == ("its table is not public",)


def test_several_processes_give_the_same(package):
    package("spread", slope=3.3)
    alone, together = (list(sweep(Plan("spread"), jobs)[1]) for jobs in (1, 2))
    assert [(o.name, o.worst, o.failures) for o in alone] == [(o.name, o.worst, o.failures) for o in together]


def test_a_case_reaches_the_methods_that_answer_it():
    entry, methods = reached_by(declare(np.where, np.array([True, False])))
    assert entry is not None and entry.f is np.where
    assert {m.name for m in methods} == {"where_indices_frule", "where_indices_rrule"}
    listed = inventory("numpy", Declared((declare(np.where, np.array([True, False])),)))
    where = next(e for e in listed if e.name == "numpy.where")
    assert {m.name for m in where.undeclared} == {"where_frule", "where_rrule"}


def test_a_warning_is_a_failure():
    failure = failure_of(declare(np.log, -1.0))
    assert failure is not None and "RuntimeWarning" in failure


def test_a_case_reads_as_its_call():
    text = str(declare(np.sum, with_tangent(np.ones((2, 3), int), np.ones((2, 3))), axis=1, why="integers"))
    assert text == "numpy.sum(ndarray[2, 3] of int64, axis=1) integers"


def test_parameter_sets_of_pytest_are_cases():
    class Module:
        CASES = (pytest.param(np.sin, (0.5,), {}, id="numpy.sin(float) small"),)

    assert [str(c) for c in cases_of(Module)] == ["numpy.sin(float) small"]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (
            lambda: declared_for("unheard_of"),
            r"no cases are declared for unheard_of[\s\S]*next: add these lines",
        ),
        (lambda: declared_for("x", ["unheard_of_module"]), "neither a file nor a module"),
        (lambda: declared_for("x", ["chainrules.testing"]), "no cases are declared in chainrules.testing"),
        (lambda: inventory("unheard_of"), r"there is no package[\s\S]*closest: libraries with rules"),
        (lambda: inventory("email"), "email registers no rules"),
        (lambda: exempt(zip, why=""), "zip is exempt without a reason"),
    ],
)
def test_what_cannot_be_found_is_said(action, message):
    with pytest.raises(DeclarationError, match=message):
        action()


def test_an_entry_that_is_no_case_is_refused():
    class Module:
        CASES = (3.0,)

    with pytest.raises(DeclarationError, match=r"an entry of CASES is no case: 3\.0"):
        list(cases_of(Module))
