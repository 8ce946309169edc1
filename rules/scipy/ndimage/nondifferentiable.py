"""What of `scipy.ndimage` has no derivative: shapes of truth values, labels, places, counts."""

from __future__ import annotations

from scipy import ndimage

from ....core import non_differentiable

non_differentiable(
    ndimage.binary_closing,
    ndimage.binary_dilation,
    ndimage.binary_erosion,
    ndimage.binary_fill_holes,
    ndimage.binary_hit_or_miss,
    ndimage.binary_opening,
    ndimage.binary_propagation,
    ndimage.generate_binary_structure,
    ndimage.iterate_structure,
    why="computes with truth values",
)
non_differentiable(
    ndimage.find_objects,
    ndimage.label,
    ndimage.maximum_position,
    ndimage.minimum_position,
    ndimage.value_indices,
    ndimage.watershed_ift,
    ndimage.histogram,
    why="computes labels, places and counts",
)
non_differentiable(
    ndimage.distance_transform_bf,
    ndimage.distance_transform_cdt,
    why="an image counts by whether entries are zero; distance_transform_edt has a slope by its sampling",
)
