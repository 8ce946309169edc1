"""pandas objects and their tangents, which are pandas objects; pandas is imported by the user alone."""

import subprocess
import sys
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import chainrules as cr

pd = pytest.importorskip("pandas")

INDEX = list("ab")


def series(values: Any, dtype: Any = None) -> Any:
    return pd.Series(values, index=INDEX, name="s", dtype=dtype)


FRAME = pd.DataFrame(
    {
        "x": np.array([1.0, 2.0], np.float32),
        "n": [3, 4],
        "when": pd.to_datetime(["2020-01-01", "2020-01-02"]),
        "name": ["p", "q"],
        "flag": [True, False],
    },
    index=INDEX,
)
STEP = pd.DataFrame(
    {"x": np.ones(2, np.float32), "n": [2.0, 0.0], "when": pd.to_timedelta([1, 2], "D")}, index=INDEX
)
MOVES = [
    (pd.Timestamp("2020-01-01"), pd.Timedelta(1, "D"), pd.Timestamp("2020-01-02")),
    (pd.Timestamp("2020-01-01", tz="UTC"), pd.Timedelta(1, "h"), pd.Timestamp("2020-01-01 01:00", tz="UTC")),
    (pd.Timedelta(1, "D"), pd.Timedelta(1, "D"), pd.Timedelta(2, "D")),
    (series([1.0, 2.0]), series([1.0, 0.5]), series([2.0, 2.5])),
    (series([1.0, 2.0], "float32"), series([1.0, 0.5], "float32"), series([2.0, 2.5], "float32")),
    (series([1, 2]), series([1.0, 2.0]), series([2, 4])),
    (series([1j, 2]), series([1.0 + 0j, 0.5]), series([1 + 1j, 2.5])),
    (series([1, None], "Int64"), series([1.0, 0.0]), series([2, None], "Int64")),
    (series([1.0, None], "Float64"), series([1.5, 0.0]), series([2.5, None], "Float64")),
    (
        series(pd.to_timedelta([1, 2], "D")),
        series(pd.to_timedelta([1, 0], "D")),
        series(pd.to_timedelta([2, 2], "D")),
    ),
    (
        series(pd.to_datetime(["2020-01-01", "2020-03-01"]).tz_localize("Europe/Berlin")),
        series(pd.to_timedelta([1, 0], "D")),
        series(pd.to_datetime(["2020-01-02", "2020-03-01"]).tz_localize("Europe/Berlin")),
    ),
    (
        FRAME,
        STEP,
        FRAME.assign(
            x=np.array([2.0, 3.0], np.float32), n=[5, 4], when=pd.to_datetime(["2020-01-02", "2020-01-04"])
        ),
    ),
]


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, pd.Series):
        pd.testing.assert_series_equal(a, b)
    elif isinstance(a, pd.DataFrame):
        pd.testing.assert_frame_equal(a, b)
    else:
        assert a == b


@pytest.mark.parametrize(("x", "t", "moved"), MOVES, ids=lambda v: f"{type(v).__name__}")
def test_moves_and_differences(x: Any, t: Any, moved: Any) -> None:
    same(cr.move(x, t), moved)
    same(cr.move(x, cr.difference(moved, x)), moved)
    same(cr.project_to(x)(t), t)
    zero = cr.zero_tangent(x)
    same(cr.move(x, zero), x)
    same(cr.add(zero, t), t)
    same(cr.add(t, t), cr.scale(2.0, t))
    same(cr.linear_combination((1.5, t), (-0.5, t)), t)
    assert cr.inner(zero, t) == 0.0
    assert cr.norm(t) ** 2 == pytest.approx(cr.inner(t, t))
    vector, unravel = cr.ravel(x)
    same(unravel(vector), x)
    assert cr.ravel(t)[0].shape == vector.shape
    if not np.isnan(vector).any():
        same(unravel(vector + cr.ravel(t)[0]), moved)


def test_numbers_of_frames() -> None:
    vector = cr.ravel(STEP)[0]
    assert vector.tolist() == [1.0, 1.0, 2.0, 0.0, 86400.0, 172800.0]
    assert cr.inner(STEP, STEP) == 6.0 + 86400.0**2 + 172800.0**2
    same(cr.zero_tangent(FRAME), STEP - STEP)
    same(cr.materialize(cr.Zero(), like=FRAME), STEP - STEP)


def test_a_projection_takes_arrays_and_restores_kinds() -> None:
    same(cr.project_to(series([1.0, 2.0]))(np.array([1j, 3.0])), series([0.0, 3.0]))
    projected = cr.project_to(FRAME[["x", "n"]])(np.ones((2, 2)))
    assert list(projected.dtypes) == [np.float32, np.float64]
    assert cr.project_to(pd.Timestamp("2020-01-01"))(timedelta(1)) == pd.Timedelta(1, "D")
    assert cr.project_to(series(["a", "b"]))(1.0) is cr.NoTangent()


@pytest.mark.parametrize(
    "doing",
    [
        lambda: cr.add(series([1.0, 2.0]), pd.Series([1.0, 2.0])),
        lambda: cr.add(STEP, STEP[["x", "n"]]),
        lambda: cr.move(series([1.0, 2.0]), pd.Series([1.0, 2.0])),
        lambda: cr.inner(STEP, STEP[["n", "x", "when"]]),
        lambda: cr.difference(FRAME, FRAME.iloc[::-1]),
    ],
)
def test_labels_are_not_aligned(doing: Any) -> None:
    with pytest.raises(cr.ShapeMismatch, match="labels"):
        doing()


@pytest.mark.parametrize(
    "doing",
    [
        lambda: cr.difference(FRAME, FRAME.assign(name="other")),
        lambda: cr.difference(FRAME, FRAME.assign(x=1)),
        lambda: cr.inner(series([1.0, 2.0]), np.ones(2)),
        lambda: cr.project_to(FRAME)(np.ones(3)),
        lambda: cr.project_to(pd.Timestamp("2020-01-01"))(True),
    ],
)
def test_other_kinds_are_refused(doing: Any) -> None:
    with pytest.raises(cr.MismatchedPrimalError):
        doing()


def test_frames_are_fields_as_everything_is() -> None:
    t = cr.Composite[dict]({"table": STEP, "k": 1.0}) + cr.Composite[dict]({"table": STEP})
    same(cr.move({"table": FRAME, "k": 2.0}, t)["table"], cr.move(FRAME, STEP * 2))
    same((STEP + cr.Zero()), STEP)


def test_what_has_no_tangent() -> None:
    assert cr.zero_tangent(series(["a", "b"])) is cr.NoTangent()
    assert cr.zero_tangent(FRAME[["name", "flag"]]) is cr.NoTangent()
    assert cr.difference(FRAME[["name"]], FRAME[["name"]]) is cr.NoTangent()


def test_pandas_is_imported_by_the_user_alone() -> None:
    program = (
        "import sys, chainrules as cr; cr.zero_tangent((1.0, 'a')); cr.add(1.0, 2.0);"
        "assert 'pandas' not in sys.modules;"
        "import pandas as pd; s = pd.Series([1.0, 2.0]);"
        "assert list(cr.add(s, s)) == [2.0, 4.0]; assert list(cr.zero_tangent(s)) == [0.0, 0.0]"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)
