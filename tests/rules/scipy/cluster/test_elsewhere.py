"""Vector quantisation beside that of JAX."""

from scipy.cluster import vq
from tests.rules.cases import normal
from tests.rules.elsewhere import agrees_with_jax


def test_distances_to_the_nearest_codes() -> None:
    from jax.scipy.cluster.vq import vq as native

    f = lambda x, codes: vq.vq(x, codes)[1]  # noqa: E731
    agrees_with_jax(f, lambda x, codes: native(x, codes)[1], normal(6, 2), normal(3, 2, seed=1))
