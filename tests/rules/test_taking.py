"""General rules say what they take: names, kinds, defaults and annotations."""

import inspect
from typing import Any

from chainrules.rules.taking import keywords, parameters_of, positional, taking


def price(x: float, *, rate: float = 0.0) -> float:
    return x * rate


def test_a_rule_is_read_as_what_it_is_given() -> None:
    def general(*x: Any, **metadata: Any) -> Any:
        return x, metadata

    rule = taking(
        general,
        [*keywords(["needs"]), *positional("tangents"), *parameters_of(price)],
        like=price,
        name="price_frule",
    )
    assert rule is general
    assert rule.__name__ == rule.__qualname__ == "price_frule"
    assert str(inspect.signature(rule)) == "(tangents, x: float, *, needs, rate: float = 0.0)"
    assert rule.__annotations__ == {"x": float, "rate": float, "return": float}
    assert rule(1.0, rate=2.0) == ((1.0,), {"rate": 2.0})


def test_what_is_not_named_stays() -> None:
    def plain(*x: Any) -> Any:
        return x

    taking(plain, [*positional("a", "b"), *keywords(["out"], default=None)])
    assert plain.__name__ == "plain"
    assert str(inspect.signature(plain)) == "(a, b, *, out=None)"
