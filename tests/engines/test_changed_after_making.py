"""Objects of libraries that hold an array: what a change of it in place after they were made does to them."""

from typing import Any

import numpy as np
import pytest
from scipy import interpolate, stats
from scipy.sparse import linalg
from scipy.spatial import transform
from tests.engines import rightly

T = np.linspace(0.0, 1.0, 4)
AT = np.array([0.2, 0.7])
X = np.array([0.3, 1.8, 1.2, 0.5])

HELD: dict[str, Any] = {
    "frozen": (lambda d: stats.norm(d, 2.0), lambda o: np.sum(o.logpdf(1.0))),
    "frozen vectors": (lambda d: stats.multivariate_normal(d, np.eye(4)), lambda o: o.logpdf(np.ones(4))),
    "random variable": (lambda d: stats.Normal(mu=d, sigma=2.0), lambda o: np.sum(o.logpdf(1.0))),
    "pieces": (lambda d: interpolate.PPoly(d.reshape(2, 2), np.array([0.0, 0.5, 1.0])), lambda o: o(AT)[1]),
    "barycentric": (lambda d: interpolate.BarycentricInterpolator(T, d), lambda o: np.sum(o(AT) ** 2)),
    "rotation": (lambda d: transform.Rotation.from_quat(d), lambda o: o.as_matrix()[0, 1]),
}
REFUSED: dict[str, Any] = {
    "operator": (lambda d: linalg.aslinearoperator(d.reshape(2, 2)), lambda o: np.sum(o.matvec(AT) ** 2)),
    "Krogh": (lambda d: interpolate.KroghInterpolator(T, d), lambda o: np.sum(o(AT) ** 2)),
    "covariance": (lambda d: stats.multivariate_normal(AT, d.reshape(2, 2)), lambda o: o.logpdf(AT + 1.0)),
}


def changed(make: Any, use: Any) -> Any:
    def f(x):
        d = x * 1.0
        made = make(d)
        d *= 3.0
        return use(made)

    return f


@pytest.mark.filterwarnings("ignore:future versions will not create")  # SciPy's own
@pytest.mark.parametrize("name", sorted(HELD))
def test_what_an_object_holds_is_what_its_program_changes(name: str) -> None:
    f = changed(*HELD[name])
    rightly.or_refused(lambda: rightly.grad(f)(X))
    rightly.or_refused(lambda: rightly.jvp(f, (X,), (X,)))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_change_of_a_part_of_an_object_is_right_or_refused(name: str) -> None:
    f, x = changed(*REFUSED[name]), np.array([1.5, 0.2, 0.2, 2.0])
    rightly.or_refused(lambda: rightly.grad(f)(x))
    rightly.or_refused(lambda: rightly.jvp(f, (x,), (x,)))
