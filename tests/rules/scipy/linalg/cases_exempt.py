"""Rules for scipy.linalg that no case can show, each with the reason."""

from chainrules.rules.scipy.linalg import (
    cosine_sine,
    eigenpairs,
    ldl,
    lu,
    qz,
    riccati,
    schur,
    singular_values,
    spectra,
    updates,
)
from chainrules.testing import exempt

GIVEN = (
    eigenpairs.all_pairs,
    eigenpairs.some_pairs,
    spectra.general_pairs,
    singular_values.basis_of_null,
    lu.triangles,
    ldl.outer_and_middle,
    riccati.solved_for,
    schur.schur_pair,
    qz.form_of,
    cosine_sine.angles,
    cosine_sine.frozen,
    updates.with_added,
)
EXEMPT = [
    exempt(f, why="returns what SciPy found, and says how it moves; the functions of SciPy show it")
    for f in GIVEN
]
