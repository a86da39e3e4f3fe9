from __future__ import annotations
def indexed_passages(folder): raise NotImplementedError
