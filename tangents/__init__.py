"""What a derivative is: zeros, composites, thunks, indexed tangents, their addition and projection."""

if __name__ != "chainrules.tangents":
    raise ImportError("tangents is a part of chainrules: import chainrules.tangents")

from . import factorizations as factorizations
from . import frames as frames
from .accumulation import accumulate as accumulate
from .addition import add as add
from .buffers import Buffer as Buffer
from .buffers import gather as gather
from .canonical import canonicalize as canonicalize
from .canonical import to_tangent as to_tangent
from .composite import Composite as Composite
from .composite import fields_of as fields_of
from .composite import from_fields as from_fields
from .composite import map_fields as map_fields
from .composite import primal_type as primal_type
from .equality import all_zero as all_zero
from .equality import same_values as same_values
from .errors import ChainRulesError as ChainRulesError
from .errors import MismatchedPrimalError as MismatchedPrimalError
from .errors import MissingDerivativeError as MissingDerivativeError
from .errors import ShapeMismatch as ShapeMismatch
from .indexed import IndexedTangent as IndexedTangent
from .indexed import ItemTangent as ItemTangent
from .indexed import is_basic as is_basic
from .indexed import to_coo as to_coo
from .motion import difference as difference
from .motion import move as move
from .naturals import Wrapper as Wrapper
from .naturals import tangent_dtype as tangent_dtype
from .projection import project_to as project_to
from .ravel import Unravel as Unravel
from .ravel import ravel as ravel
from .registered import convert_fields as convert_fields
from .registered import natural_tangent as natural_tangent
from .spaces import materialize as materialize
from .spaces import zero_tangent as zero_tangent
from .sparse import DENSITY_THRESHOLD as DENSITY_THRESHOLD
from .sparse import is_sparse as is_sparse
from .sparse import sparse_policy as sparse_policy
from .structure import construct as construct
from .structure import fields as fields
from .thunks import InplaceableThunk as InplaceableThunk
from .thunks import Thunk as Thunk
from .thunks import unthunk as unthunk
from .vectors import inner as inner
from .vectors import linear_combination as linear_combination
from .vectors import norm as norm
from .vectors import scale as scale
from .views import behind as behind
from .zeros import NO_TANGENT as NO_TANGENT
from .zeros import ZERO as ZERO
from .zeros import NoTangent as NoTangent
from .zeros import NotImplementedTangent as NotImplementedTangent
from .zeros import Zero as Zero
from .zeros import is_zero as is_zero
