"""What of `scipy.stats` has no derivative: what depends on the order of values, or on counts, alone.

It is a step in every argument, 0 between jumps. What has a smooth argument beside, as the probability of
`binomtest` or the limits of `cumfreq`, does not stand here, and is refused by name.
"""

from __future__ import annotations

from typing import Any

from scipy import stats
from scipy.stats._multivariate import _eigvalsh_to_eps

from ....core import non_differentiable

RANKS = (
    "anderson_ksamp", "ansari", "brunnermunzel", "bws_test", "chatterjeexi", "cramervonmises_2samp",
    "fligner", "friedmanchisquare", "kendalltau", "kruskal", "ks_2samp", "logrank", "mannwhitneyu",
    "median_test", "mood", "page_trend_test", "percentileofscore", "rankdata", "ranksums",
    "somersd", "spearmanr", "spearmanrho", "wilcoxon",
)  # fmt: skip
COUNTS = ("barnard_exact", "boschloo_exact", "fisher_exact", "tiecorrect")


def named(names: tuple[str, ...]) -> list[Any]:
    """The functions of these names that this SciPy has."""
    return [getattr(stats, name) for name in names if hasattr(stats, name)]


non_differentiable(*named(RANKS), why="depends on the order of values alone, a step in each")
non_differentiable(*named(COUNTS), why="depends on whole numbers, a step in each")
non_differentiable(
    stats.contingency.association,
    stats.contingency.crosstab,
    stats.contingency.odds_ratio,
    stats.contingency.relative_risk,
    why="depends on whole numbers, a step in each",
)
non_differentiable(_eigvalsh_to_eps, why="is a tolerance for what counts as zero")
