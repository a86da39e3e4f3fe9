"""E5 small in torch with a low-rank adapter on every matrix, and the three maps above it; the rest stays as it is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from rabbithole.kb.store.encoders.e5 import E5Encoder

RANK: Final = 32
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
        return functional.linear(values, self.weight + self.up @ self.down, self.bias)


class _Layer(nn.Module):
    def __init__(self, encoder: E5Encoder, number: int, dropout: float) -> None:
        super().__init__()
        self.parts = nn.ModuleDict()
        for part in _PARTS:
            weight, bias = encoder.weights.matrix(number, part)
            self.parts[part] = _Adapted(torch.tensor(weight.T.copy()), torch.tensor(bias))
        self.aln, self.oln = (_norm(encoder, f"l{number}.{name}") for name in ("aln", "oln"))
        self.heads, self.dropout = encoder.weights.file.heads, dropout

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
    """Gives each token of a text a score of belonging to the answer, and the text two log-odds.

    The first are that it answers; the second correct the ranker's among the texts of a question.
    """

    def __init__(self, encoder: E5Encoder, dropout: float = 0.1) -> None:
        super().__init__()
        self._encoder = encoder
        self.layers = nn.ModuleList(_Layer(encoder, number, dropout) for number in range(encoder.weights.layers))
        self.token, self.passage, self.order = (nn.Linear(WIDTH, 1) for _ in range(3))
        nn.init.zeros_(self.order.weight)

    def forward(self, texts: list[list[int]]) -> tuple[Tensor, Tensor, Tensor]:
        """Return the scores of tokens (texts, tokens; those past a text's end mean nothing), and both of texts."""
        return self.above(self.embedded(texts))

    def embedded(self, texts: list[list[int]]) -> list[Tensor]:
        """Return what the first layer gets for the tokens of each text, (tokens, WIDTH)."""
        return [torch.tensor(self._encoder.embedded(text)) for text in texts]

    def below(self, states: list[Tensor], layers: int) -> list[Tensor]:
        """Return what the first ``layers`` make of the states of each text."""
        if not layers:
            return states
        after, mask = self._through(states, 0, layers)
        return [one[own] for one, own in zip(after[-1], mask, strict=True)]

    def above(self, states: list[Tensor], layers: int = 0) -> tuple[Tensor, Tensor, Tensor]:
        """Return the results from the states that the first ``layers`` made."""
        after, mask = self._through(states, layers, len(self.layers))
        top = after[-1].float()
        mean = (top * mask[..., None]).sum(1) / mask.sum(1)[:, None]
        return self.token(top)[..., 0], self.passage(mean)[:, 0], self.order(mean)[:, 0]

    def layer_states(self, texts: list[list[int]], wanted: Collection[int]) -> list[Tensor]:
        """Return what the layers ``wanted``, counted from 1, make of texts, (texts, tokens, WIDTH) each."""
        after, _ = self._through(self.embedded(texts), 0, len(self.layers))
        return [states.float() for number, states in enumerate(after, 1) if number in wanted]

    def _through(self, states: list[Tensor], first: int, last: int) -> tuple[list[Tensor], Tensor]:
        """Return the states of texts of one length after each of some layers, and which of them belong to a text."""
        device = self.token.weight.device
        lengths = torch.tensor([len(one) for one in states], device=device)
        after = [nn.utils.rnn.pad_sequence([one.to(device) for one in states], batch_first=True)]
        mask = torch.arange(after[0].shape[1], device=device)[None] < lengths[:, None]
        with torch.autocast(device.type, dtype=torch.bfloat16):
            for layer in list(self.layers)[first:last]:
                after.append(layer(after[-1], mask[:, None, None, :]))
        return after[1:], mask

    def save(self, path: Path) -> None:
        """Write what was learned, as ``span_reader.py`` reads it."""
        values: dict[str, Any] = {name: value.astype(np.float16) for name, value in self._learned().items()}
        np.savez(path, **values)

    def start_from(self, path: Path) -> None:
        """Take what was learned before from a file that ``save`` wrote; additions of a lower rank are extended.

        Maps above the last layer that the file does not have stay as they are.
        """
        with np.load(path) as stored, torch.no_grad():
            for name, value in self._places().items():
                if name not in stored.files:
                    continue
                found = torch.tensor(stored[name].astype(np.float32))
                if name.endswith(".down"):
                    value[: found.shape[1]] = found.T
                elif name.endswith(".up"):
                    value[:, : found.shape[0]] = found.T
                else:
                    value.copy_(found.reshape(value.shape))

    def _learned(self) -> dict[str, np.ndarray]:
        values = {name: value.detach().cpu().numpy() for name, value in self._places().items()}
        turned = {name: value.T if name.endswith((".down", ".up")) else value for name, value in values.items()}
        vectors = {name: turned[name].reshape(-1) for name in ("token", "passage", "order")}
        return turned | vectors | {"passage_base": turned["passage_base"].reshape(())}

    def _places(self) -> Mapping[str, Tensor]:
        found: dict[str, Tensor] = {
            "token": self.token.weight, "passage": self.passage.weight, "passage_base": self.passage.bias,
            "order": self.order.weight,
        }  # fmt: skip
        for number, layer in enumerate(self.layers):
            for part, one in layer.parts.items():
                found[f"l{number}.{part}.down"], found[f"l{number}.{part}.up"] = one.down, one.up
            for name in ("aln", "oln"):
                norm = getattr(layer, name)
                found[f"l{number}.{name}.w"], found[f"l{number}.{name}.b"] = norm.weight, norm.bias
        return found


def _norm(encoder: E5Encoder, name: str) -> nn.LayerNorm:
    weight, bias = encoder.weights.norm(name)
    made = nn.LayerNorm(WIDTH, eps=encoder.weights.file.eps)
    made.weight.data, made.bias.data = torch.tensor(weight), torch.tensor(bias)
    return made
