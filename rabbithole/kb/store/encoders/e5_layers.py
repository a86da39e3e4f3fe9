"""The layers of E5 as a graph for ONNX Runtime, which computes them in half of numpy's time.

The graph is made when it is needed, because the weights differ from task to task. Its operators for attention, norms
after a sum, and GELU are those of the runtime itself (domain ``com.microsoft``).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from onnx import ModelProto, NodeProto, StringStringEntryProto, TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession, OrtValue, SessionOptions

from rabbithole.kb.store.vectors.matrix import Float32

from .e5_weights import WIDTH, E5Weights

_INPUT: Final = "states"
_OWN: Final = "com.microsoft"
_OPSET, _IR = 17, 10
_ERRORS_ONLY: Final = 3


class E5Layers:
    """Computes the layers, on one thread for each call. Safe for use by several threads.

    ``wanted`` are the layers whose states are returned, counted from 1.
    """

    def __init__(self, weights: E5Weights, wanted: Collection[int]) -> None:
        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS_ONLY
        # The runtime copies the matrices once; packed again, they would be a twentieth faster and take more memory.
        options.add_session_config_entry("session.disable_prepacking", "1")
        graph = _Graph(weights)
        model = graph.model(wanted).SerializeToString()
        matrices = {name: OrtValue.ortvalue_from_numpy(value) for name, value in graph.matrices.items()}
        options.add_external_initializers(list(matrices), list(matrices.values()))
        self._session = InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def states(self, first: Float32) -> list[Float32]:
        """Return the states after each wanted layer from those before the first, (tokens, WIDTH) each."""
        found = self._session.run(None, {_INPUT: first[None]})
        return [np.asarray(states[0], dtype=np.float32) for states in found]


class _Graph:
    """Collects the nodes and constants of a model, and the ``matrices`` that are given to the runtime beside it."""

    def __init__(self, weights: E5Weights) -> None:
        self._weights = weights
        self._nodes: list[NodeProto] = []
        self._constants: list[TensorProto] = []
        self.matrices: dict[str, Float32] = {}

    def model(self, wanted: Collection[int]) -> ModelProto:
        states, outputs = _INPUT, []
        for number in range(self._weights.layers):
            states = self._layer(number, states)
            if number + 1 in wanted:
                outputs.append(states)
        shape: list[str | int | None] = [1, "tokens", WIDTH]
        given, *returned = (
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in (_INPUT, *outputs)
        )
        graph = helper.make_graph(self._nodes, "e5", [given], returned, self._constants)
        versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_OWN, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=_IR)

    def _layer(self, number: int, states: str) -> str:
        q, k, v = (self._linear(number, part, states) for part in ("q", "k", "v"))
        mixed = self._node(f"l{number}.attended", "MultiHeadAttention", q, k, v, num_heads=self._weights.file.heads)
        states = self._normed(f"l{number}.aln", states, self._linear(number, "ao", mixed))
        inner = self._node(f"l{number}.gelu", "FastGelu", self._linear(number, "fi", states))
        return self._normed(f"l{number}.oln", states, self._linear(number, "fo", inner))

    def _linear(self, number: int, part: str, states: str) -> str:
        name, (matrix, bias) = f"l{number}.{part}", self._weights.matrix(number, part)
        product = self._node(f"{name}.product", "MatMul", states, self._matrix(f"{name}.w", matrix), domain="")
        return self._node(name, "Add", product, self._vector(f"{name}.b", bias), domain="")

    def _normed(self, name: str, states: str, added: str) -> str:
        weight, bias = self._weights.norm(name)
        vectors = self._vector(f"{name}.w", weight), self._vector(f"{name}.b", bias)
        return self._node(name, "SkipLayerNormalization", states, added, *vectors, epsilon=self._weights.file.eps)

    def _node(self, name: str, kind: str, *inputs: str, domain: str = _OWN, **attributes: Any) -> str:
        self._nodes.append(helper.make_node(kind, list(inputs), [name], name=name, domain=domain, **attributes))
        return name

    def _vector(self, name: str, value: Float32) -> str:
        self._constants.append(numpy_helper.from_array(value, name))
        return name

    def _matrix(self, name: str, value: Float32) -> str:
        """Name a matrix that the runtime reads where it is, so that it is not copied into the model and out of it."""
        self.matrices[name] = np.ascontiguousarray(value)
        outside = {"location": "given", "offset": "0", "length": str(value.nbytes)}
        self._constants.append(
            TensorProto(
                name=name,
                data_type=TensorProto.FLOAT,
                dims=value.shape,
                data_location=TensorProto.EXTERNAL,
                external_data=[StringStringEntryProto(key=key, value=text) for key, text in outside.items()],
            )
        )
        return name
