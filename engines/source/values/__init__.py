"""Values: what objects, fields, partials and generators are in a derivative, and what of them is shared."""
