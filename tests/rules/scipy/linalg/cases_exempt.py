"""Rules for scipy.linalg that no case can show, each with the reason."""

from chainrules.rules.scipy.linalg import eigenpairs, singular_values, spectra
from chainrules.testing import exempt

GIVEN = (
    eigenpairs.all_pairs,
    eigenpairs.some_pairs,
    spectra.general_pairs,
    singular_values.triplets,
    singular_values.basis_of_null,
)
EXEMPT = [
    exempt(f, why="returns what SciPy found, and says how it moves; the functions of SciPy show it")
    for f in GIVEN
]
