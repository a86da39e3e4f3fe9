"""E5 small in torch with a low-rank adapter on every matrix, and the two maps above it; the rest stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rabbithole.kb.store.encoders.e5 import E5Encoder

RANK: Final = 16
WIDTH: Final = 384
_PARTS: Final = ("q", "k", "v", "ao", "fi", "fo")


class _Adapted(nn.Module):
    """A matrix and its low-rank addition, which is zero at first."""

    def __init__(self, weight: Tensor, bias: Tensor) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        outputs, inputs = weight.shape
        self.down = nn.Parameter(torch.randn(RANK, inputs) / inputs**0.5)
        self.up = nn.Parameter(torch.zeros(outputs, RANK))

    def forward(self, values: Tensor) -> Tensor:
        own = functional.linear(values, self.weight, self.bias)
        return own + functional.linear(functional.linear(values, self.down), self.up)


class _Layer(nn.Module):
    def __init__(self, encoder: E5Encoder, number: int, dropout: float) -> None:
        super().__init__()
        self.parts = nn.ModuleDict()
        for part in _PARTS:
            weight, bias = encoder.matrix(number, part)
            self.parts[part] = _Adapted(torch.tensor(weight.T.copy()), torch.tensor(bias))
        self.aln, self.oln = (_norm(encoder, f"l{number}.{name}") for name in ("aln", "oln"))
        self.heads, self.dropout = encoder.heads, dropout

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        count, length, _ = states.shape
        query, key, value = (
            self.parts[part](states).view(count, length, self.heads, -1).transpose(1, 2) for part in "qkv"
        )
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = self.parts["ao"](mixed.transpose(1, 2).reshape(count, length, WIDTH))
        states = self.aln(states + self._dropped(mixed))
        hidden = functional.gelu(self.parts["fi"](states), approximate="tanh")
        return self.oln(states + self._dropped(self.parts["fo"](hidden)))

    def _dropped(self, values: Tensor) -> Tensor:
        return functional.dropout(values, self.dropout, self.training)


class Network(nn.Module):
    """Gives each token of a text a score of belonging to the answer, and the text the log-odds that it answers."""

    def __init__(self, encoder: E5Encoder, dropout: float = 0.1) -> None:
        super().__init__()
        self._encoder = encoder
        self.layers = nn.ModuleList(_Layer(encoder, number, dropout) for number in range(encoder.layers))
        self.token, self.passage = nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)

    def forward(self, texts: list[list[int]]) -> tuple[Tensor, Tensor]:
        """Return the scores of tokens (texts, tokens; those past a text's end mean nothing) and of texts."""
        device = self.token.weight.device
        lengths = torch.tensor([len(text) for text in texts], device=device)
        states = torch.zeros(len(texts), int(lengths.max()), WIDTH)
        for at, text in enumerate(texts):
            states[at, : len(text)] = torch.tensor(self._encoder.embedded([text]))
        states = states.to(device)
        mask = torch.arange(states.shape[1], device=device)[None] < lengths[:, None]
        with torch.autocast(device.type, dtype=torch.bfloat16):
            for layer in self.layers:
                states = layer(states, mask[:, None, None, :])
        states = states.float()
        mean = (states * mask[..., None]).sum(1) / lengths[:, None]
        return self.token(states)[..., 0], self.passage(mean)[:, 0]

    def save(self, path: Path) -> None:
        """Write what was learned, as ``span_reader.py`` reads it."""
        values: dict[str, Any] = {name: value.astype(np.float16) for name, value in self._learned().items()}
        np.savez(path, **values)

    def start_from(self, path: Path) -> None:
        """Take what was learned before from a file that ``save`` wrote."""
        with np.load(path) as stored, torch.no_grad():
            for name, value in self._places().items():
                found = torch.tensor(stored[name].astype(np.float32))
                value.copy_((found.T if name.endswith((".down", ".up")) else found).reshape(value.shape))

    def _learned(self) -> dict[str, np.ndarray]:
        values = {name: value.detach().cpu().numpy() for name, value in self._places().items()}
        turned = {name: value.T if name.endswith((".down", ".up")) else value for name, value in values.items()}
        vectors = {name: turned[name].reshape(-1) for name in ("token", "passage")}
        return turned | vectors | {"passage_base": turned["passage_base"].reshape(())}

    def _places(self) -> Mapping[str, Tensor]:
        found: dict[str, Tensor] = {
            "token": self.token.weight, "passage": self.passage.weight, "passage_base": self.passage.bias,
        }  # fmt: skip
        for number, layer in enumerate(self.layers):
            for part, one in layer.parts.items():
                found[f"l{number}.{part}.down"], found[f"l{number}.{part}.up"] = one.down, one.up
            for name in ("aln", "oln"):
                norm = getattr(layer, name)
                found[f"l{number}.{name}.w"], found[f"l{number}.{name}.b"] = norm.weight, norm.bias
        return found


def _norm(encoder: E5Encoder, name: str) -> nn.LayerNorm:
    weight, bias = encoder.norm(name)
    made = nn.LayerNorm(WIDTH, eps=encoder.eps)
    made.weight.data, made.bias.data = torch.tensor(weight), torch.tensor(bias)
    return made
