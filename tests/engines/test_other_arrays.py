"""Arrays of other libraries given to the operators: refused with what to do instead."""

import pickle

import numpy as np
import pytest

import chainrules as cr

pd = pytest.importorskip("pandas")


def squared(x):
    return (x * x).sum()


def fit(w, data):
    return np.mean((data["x"] * w[0] + w[1] - data["y"]) ** 2)


def fit_columns(w, data):
    return np.mean((data["x"].to_numpy() * w[0] + w[1] - data["y"].to_numpy()) ** 2)


DATA = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1.0, 1.0, 2.0]})
OPERATORS = [lambda x: cr.grad(squared)(x), lambda x: cr.jacobian(squared)(x), lambda x: cr.vjp(squared, x)]


@pytest.mark.parametrize("call", OPERATORS)
@pytest.mark.parametrize(("library", "door"), [("torch", "from_torch"), ("jax.numpy", "from_jax")])
def test_an_array_of_another_engine_says_how_it_becomes_numpys(call, library, door):
    ones = pytest.importorskip(library).ones(3)
    with pytest.raises(cr.ChainRulesError, match=door):
        call(ones)


@pytest.mark.parametrize(("library", "door"), [("torch", "from_torch"), ("jax.numpy", "from_jax")])
def test_such_an_array_inside_a_program_says_it_too(library, door):
    module = pytest.importorskip(library)
    constant = module.ones(3)
    with pytest.raises(cr.NoRuleError, match=r"np\.asarray") as caught:
        cr.grad(lambda x: (x * constant).sum())(np.ones(3))
    assert door in caught.value.next


@pytest.mark.parametrize("call", OPERATORS)
def test_a_table_says_to_numpy(call):
    for x in (DATA, DATA["x"]):
        with pytest.raises(cr.ChainRulesError, match=r"to_numpy\(\)"):
            call(x)


def test_columns_inside_a_program():
    with pytest.raises(cr.NoRuleError, match=r"to_numpy\(\)"):
        cr.grad(fit)(np.ones(2), DATA)
    assert np.allclose(cr.grad(fit_columns)(np.ones(2), DATA), [22 / 3, 10 / 3])


def test_closest_names_the_function_and_what_it_takes():
    with pytest.raises(cr.NoRuleError) as caught:
        cr.grad(lambda x: float.fromhex(x.hex()))(2.0)
    assert "fromhex" in str(caught.value)


@pytest.mark.parametrize(
    ("library", "door"), [("torch", cr.to_torch), ("jax", cr.to_jax), ("autograd", cr.to_autograd)]
)
def test_functions_for_other_engines_are_pickled_with_the_function(library, door):
    pytest.importorskip(library)
    again = pickle.loads(pickle.dumps(door(squared)))
    assert again.__wrapped__ is squared
    assert again.__name__ == "squared"
    assert float(again(np.ones(3))) == 3.0


def test_a_module_that_holds_a_function_is_saved_and_loaded(tmp_path):
    torch = pytest.importorskip("torch")
    model = torch.nn.Linear(3, 1).double()
    model.penalty = cr.to_torch(squared)
    torch.save(model, tmp_path / "model.pt")
    again = torch.load(tmp_path / "model.pt", weights_only=False)
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)
    again.penalty(x).backward()
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
