"""What a task changes in an encoder: low-rank additions to its matrices (LoRA; Hu et al., 2021), and its norms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rabbithole.kb.store.vectors.matrix import Float32


@dataclass(frozen=True)
class Adapter:
    """What is added to matrices, and which vectors are replaced, by their names.

    ``low_rank`` holds two matrices for each matrix: (inputs, rank) and (rank, outputs).
    """

    low_rank: Mapping[str, tuple[Float32, Float32]]
    floats: Mapping[str, Float32]

    @classmethod
    def of(cls, values: Mapping[str, Float32]) -> Adapter:
        """Return the adapter in stored ``values``: pairs end in ``.down`` and ``.up``, norms in ``.w`` and ``.b``."""
        names = {name.removesuffix(".down") for name in values if name.endswith(".down")}
        low_rank = {name: (values[f"{name}.down"], values[f"{name}.up"]) for name in names}
        return cls(low_rank, {name: value for name, value in values.items() if name.endswith((".w", ".b"))})

    def added(self, name: str, matrix: Float32) -> Float32:
        """Return a matrix, (inputs, outputs), with what the adapter adds to it."""
        if name not in self.low_rank:
            return matrix
        down, up = self.low_rank[name]
        return np.asarray(matrix + down @ up, dtype=np.float32)


def stored(path: Path) -> dict[str, Float32]:
    """Return the values that a training wrote, in single precision."""
    with np.load(path) as values:
        return {name: values[name].astype(np.float32) for name in values.files}
