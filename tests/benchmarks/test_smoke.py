"""The benchmarks run and compare like with like; how long anything takes is not asked here."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from benchmarks import (
    directions,
    dispatch,
    distributions,
    in_autograd,
    in_pytensor,
    in_torch,
    latency,
    linear_maps,
    matrices,
    projection,
    solutions,
    solvers,
    sparse,
    special,
)
from benchmarks.case import Case, WrongGradient, checked
from benchmarks.engines import ENGINES, Prepared, as_numpy
from benchmarks.report import Report, Row, duration
from benchmarks.run import QUESTIONS, measured, with_summary
from benchmarks.timing import medians

import chainrules as cr
from chainrules.engines import colouring

CASES = [case for question in QUESTIONS for case in question.cases(question.TINY)]
SWITCHES = {"jax": "its double precision is a switch of the whole process"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_the_hand_written_gradient_is_right(case: Case) -> None:
    _, gradients = case.hand_written()
    rng = np.random.default_rng(4)
    directions = [rng.normal(size=p.shape) for p in case.parameters]
    step = 1e-6
    ends = [
        case.program(
            *(p + s * step * d for p, d in zip(case.parameters, directions, strict=True)), *case.data
        )
        for s in (1, -1)
    ]
    along = sum(np.vdot(g, d) for g, d in zip(gradients, directions, strict=True))
    np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), along, rtol=1e-6)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
@pytest.mark.parametrize("engine", sorted(ENGINES.keys() - SWITCHES.keys()))
def test_every_engine_agrees_with_it(case: Case, engine: str) -> None:
    if find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    if engine in case.left_out:
        pytest.skip(case.left_out[engine])
    checked(case, engine, as_numpy(ENGINES[engine](case).run()))


def test_a_wrong_gradient_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[0]
    value, (gradient,) = case.hand_written()

    def flipped(case: Case) -> Prepared:
        return Prepared(lambda: (value, (-gradient,)))

    monkeypatch.setitem(ENGINES, "chainrules", flipped)
    with pytest.raises(WrongGradient, match="chainrules on 50 operations"):
        measured(case, ["chainrules"], rounds=1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_directions_are_held_to_the_hand_written_gradient(case: Case) -> None:
    row = directions.measured(case, rounds=1)
    assert row.product > 0.0
    name, *cells = directions.markdown([row]).splitlines()[-1].strip("| ").split(" | ")
    assert name == case.name
    assert len(cells) == 5


def test_a_wrong_product_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cr, "hvp", lambda f, x, v, argnums: tuple(-2.0 * w for w in v))
    with pytest.raises(WrongGradient, match="product with the Hessian of 50 operations"):
        directions.measured(CASES[0], rounds=1)


def test_contestants_take_turns() -> None:
    seen: list[str] = []
    times = medians({"a": lambda: seen.append("a"), "b": lambda: seen.append("b")}, rounds=2)
    assert times.keys() == {"a", "b"}
    turns = [name for i, name in enumerate(seen) if i == 0 or seen[i - 1] != name]
    assert "".join(turns).endswith("aba"), "two calls to calibrate each, then a b, then b a"


def test_the_report_shows_ratios() -> None:
    report = Report(["chainrules", "jax"], "how")
    report.rows = [Row("a", 2e-6, {"chainrules": 3e-6}), Row("b", 1.0, {"chainrules": 2.0, "jax": 0.5}, 7.0)]
    lines = report.markdown().splitlines()
    assert "| a | 2 µs | 1.50× | – | – |" in lines
    assert "| b | 1 s | 2.00× | 0.50× | 7.00 s |" in lines
    assert duration(3.14159e-8) == "31.4 ns"
    summary = report.summary().splitlines()
    assert summary[2].endswith("| 1.73× (2) | 0.50× (1) |")
    assert summary[3:] == ["| b, the dearest of them | 2.00× | 0.50× |", "| a, the second | 1.50× | – |"]
    page = with_summary("A\n<!-- costs -->\nold\n<!-- end of costs -->\nB", "new")
    assert page == "A\n<!-- costs -->\nnew\n<!-- end of costs -->\nB"
    with pytest.raises(SystemExit, match="both marks"):
        with_summary("no table", "new")


def test_first_gradients_are_those_of_the_program() -> None:
    theta, contacts, counts = latency.arguments()
    assert len(latency.SOURCE.splitlines()) == 100
    by_theta, by_contacts = latency.gradient(latency.epidemic, "reverse", (theta, contacts, counts))
    step = 1e-6
    ends = [latency.epidemic(theta * (1 + s), contacts * (1 + s), counts) for s in (step, -step)]
    along = np.vdot(by_theta, theta) + np.vdot(by_contacts, contacts)
    np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), along, rtol=1e-6)
    np.testing.assert_allclose(
        latency.gradient(latency.epidemic, "forward", (theta, contacts, counts))[1], along
    )


def test_what_stands_beside_bare_numpy_runs() -> None:
    for pair in (*dispatch.pairs(), *projection.pairs(), *matrices.pairs(4)):
        pair.ours()
        pair.bare()


FAMILIES = special.families(2)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: str(family.name))
def test_every_pullback_of_a_family_runs(family: special.Family) -> None:
    for entry in family.entries:
        (cotangent,) = special.pullback_of(entry)()
        assert np.shape(cotangent) == (2,)
        assert np.all(np.isfinite(cotangent)), entry.name


def test_a_family_is_compared_with_its_functions() -> None:
    x = np.array([0.5, 2.0])
    entry = special.Entry(np.power, (np.array([3.0, 4.0]), x), 1)
    np.testing.assert_allclose(special.pullback_of(entry)()[0], [3**0.5 * np.log(3), 16 * np.log(4)])
    closed, other = (special.Family("powers", by, [entry]) for by in (False, True))
    lines = special.markdown([special.cost(closed, rounds=1), special.cost(other, rounds=1)]).splitlines()
    assert len(lines) == 6
    assert lines[2].startswith("| powers | 1 | ")


@pytest.mark.parametrize("family", linear_maps.families(256), ids=lambda family: str(family.name))
def test_every_linear_map_is_timed_beside_its_pullback(family: linear_maps.Family) -> None:
    for entry in family.entries:
        (cotangent,) = linear_maps.pullback_of(entry)()
        assert np.shape(cotangent) == np.shape(entry.x), entry.name
        assert np.all(np.isfinite(cotangent)), entry.name
    few = family._replace(entries=family.entries[:1])
    assert f"| {family.name} | 1 | " in linear_maps.markdown([linear_maps.cost(few, rounds=1)])


@pytest.mark.parametrize("adapter", [in_autograd, in_pytensor, in_torch], ids=lambda module: module.__name__)
def test_an_adapter_gives_what_is_written_by_hand(adapter: Any) -> None:
    names = [pair.name for pair in adapter.pairs()]  # each is compared when it is made
    assert len(names) in (0, 5)


def test_solvers_are_timed_beside_their_gradients(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    few = [entry for entry in solvers.entries(4) if "RK45" in entry.name or "root" in entry.name]
    monkeypatch.setattr(solvers, "entries", lambda n: iter(few[:3]))
    assert solvers.main(["--tiny"]) == 0
    assert capsys.readouterr().out.count("×") == 3


def test_solutions_are_timed_beside_their_gradients(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    few = [p for p in solutions.problems((1, 3)) if "captured" in p.name or "curve" in p.name]
    monkeypatch.setattr(solutions, "problems", lambda sizes: iter(few))
    assert solutions.main(["--tiny"]) == 0
    assert capsys.readouterr().out.count("×") == len(few)


def test_log_likelihoods_are_held_to_the_gradients_by_hand(capsys: Any) -> None:
    assert distributions.main(["--tiny"]) == 0
    assert capsys.readouterr().out.count("`") == 2 * len(distributions.entries(50))


def test_sparse_programs_are_timed_beside_their_gradients(capsys: Any) -> None:
    assert sparse.main(["--tiny"]) == 0
    assert capsys.readouterr().out.count("×") == 3


def test_the_passes_of_a_stencil_do_not_grow_with_it() -> None:
    few, many = (colouring.Pattern(sparse.laplacian(rows), "auto").count for rows in (20, 100))
    assert few == many < 10
