"""The error tree: each class of the builtin that a NumPy user would catch, four beats, through pickle too."""

import pickle

import pytest

import chainrules as cr
from chainrules.core import errors

BUILTINS = {
    "NoRuleError": TypeError,
    "NotDifferentiableError": TypeError,
    "NonScalarOutputError": TypeError,
    "UnsupportedArgument": ValueError,
    "UnsupportedSyntaxError": SyntaxError,
    "AliasedMutationError": RuntimeError,
    "MismatchedPrimalError": TypeError,
    "ShapeMismatch": ValueError,
    "RegistrationError": ValueError,
    "AmbiguousRuleError": cr.RegistrationError,
    "RuleContractError": TypeError,
    "HigherOrderError": RuntimeError,
}


def test_the_table_names_the_whole_tree() -> None:
    assert {*BUILTINS, "ChainRulesError", "VerificationError"} == set(errors.__all__)


def one(name: str) -> cr.ChainRulesError:
    kind = getattr(errors, name)
    if name == "UnsupportedArgument":
        error = kind("numpy.pad", "mode", "wrap", supported=["constant", "edge"], next="pad by hand")
    else:
        error = kind("what went wrong", where="at a.py:1", closest="a rule", next="do this")
    assert isinstance(error, cr.ChainRulesError)
    return error


@pytest.mark.parametrize("name", BUILTINS)
def test_each_class_is_also_the_builtin(name: str) -> None:
    assert issubclass(getattr(errors, name), BUILTINS[name])
    with pytest.raises(BUILTINS[name]):
        raise one(name)


@pytest.mark.parametrize("name", [n for n in BUILTINS if n != "UnsupportedArgument"])
def test_the_message_has_four_beats(name: str) -> None:
    assert str(one(name)) == "what went wrong\n  at a.py:1\n  closest: a rule\n  next: do this"


def test_an_argument_that_is_not_taken_is_named_with_those_that_are() -> None:
    lines = str(one("UnsupportedArgument")).splitlines()
    assert lines == [
        "the rule for numpy.pad does not take mode='wrap'",
        "  closest: mode='constant' or mode='edge'",
        "  next: pad by hand",
    ]


def test_a_long_value_is_shortened() -> None:
    assert len(str(cr.UnsupportedArgument(sum, "start", "x" * 999))) < 120


@pytest.mark.parametrize("name", BUILTINS)
def test_an_error_survives_pickle_with_what_an_engine_added(name: str) -> None:
    error = one(name)
    error.where = "when differentiating model.py:41"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert "model.py:41" in str(again)
