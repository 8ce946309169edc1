"""The two modes against each other: ⟨x̄, ẋ⟩ = ⟨ȳ, ẏ⟩, to rounding and without differences."""

from __future__ import annotations

from ..case import Case
from .forward import along
from .running import cotangents_of

CHECK = "adjoint identity"


def adjoint_identity(case: Case) -> None:
    """The pullback is the adjoint of the pushforward, for each argument."""
    cotangents = cotangents_of(case, 0, CHECK)
    y_bar = case.vector(CHECK, case.seeds[0], case.y)
    for i in case.moved:
        x_bar = case.vector(CHECK, cotangents[i], case.args[i], argument=i)
        dx = case.vector(CHECK, case.tangents[i], case.args[i], argument=i)
        dy = along(case, case.only(i), CHECK, i)
        case.same(
            CHECK, case.number(float(x_bar @ dx)), case.number(float(y_bar @ dy)),
            named=("⟨x̄, ẋ⟩ is", "⟨ȳ, ẏ⟩"), argument=i,
            scale=max(float(abs(x_bar) @ abs(dx)), float(abs(y_bar) @ abs(dy))),
        )  # fmt: skip
