"""What a task changes in an encoder: low-rank additions to its matrices (LoRA; Hu et al., 2021), and its norms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from rabbithole.kb.store.vectors.matrix import Float32


@dataclass(frozen=True)
class Adapter:
    """What is added to matrices, and which vectors are replaced, by their names.

    ``low_rank`` holds two matrices for each matrix: (inputs, rank) and (rank, outputs).
    """

    low_rank: Mapping[str, tuple[Float32, Float32]] = field(default_factory=dict)
    floats: Mapping[str, Float32] = field(default_factory=dict)

    def added(self, name: str, values: Float32, product: Float32) -> Float32:
        """Return what a matrix makes of values, with what the adapter adds to it."""
        if name not in self.low_rank:
            return product
        down, up = self.low_rank[name]
        return np.asarray(product + (values @ down) @ up, dtype=np.float32)


NONE: Final = Adapter()
