"""Sentence embeddings on this machine: BERT models of the sentence-transformers layout, in numpy, without a network.

A model is a folder with `config.json`, `tokenizer.json` and `model.safetensors`, or an installed package that carries
such a folder as `model`. Owns the forward pass (Devlin et al. 2019, section 3; Reimers and Gurevych 2019, mean
pooling), and nothing of what vectors are compared for. Why not PyTorch: ADR 0015.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fourfold.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Matrix = NDArray[np.float32]

__all__ = ["BertEmbedder", "read_embedder"]

_FILES = ("config.json", "tokenizer.json", "model.safetensors")
_LIBRARIES = ("numpy", "safetensors", "tokenizers")
_MOST_TOKENS = 256
"""What is read of a text; the model was trained on no more."""

_EPSILON = 1e-12


def read_embedder(model: str) -> BertEmbedder:
    """The model in a folder or an installed package.

    Raises:
        ConfigError: there is none, it is of another make, or the libraries are not installed.
    """
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise ConfigError(f"embeddings need {', '.join(missing)}; install fourfold[embed]")
    folder = _folder(model)
    absent = [name for name in _FILES if not (folder / name).is_file()]
    if absent:
        raise ConfigError(f"{model} holds no {absent[0]}; name a folder of a sentence-transformers model")
    facts = cast("dict[str, object]", json.loads((folder / "config.json").read_text("utf-8")))
    if facts.get("model_type") != "bert" or facts.get("hidden_act") != "gelu":
        raise ConfigError(f"{model} is a {facts.get('model_type')} model; only BERT with gelu is read")
    return _read(folder, name=model, facts=facts)


def _folder(model: str) -> Path:
    if Path(model).is_dir():
        return Path(model)
    spec = find_spec(model) if model.isidentifier() else None
    if spec is None or spec.origin is None:
        raise ConfigError(f"{model} is neither a folder nor an installed package with a model in it")
    return Path(spec.origin).parent / "model"


def _read(folder: Path, *, name: str, facts: dict[str, object]) -> BertEmbedder:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file  # pyright: ignore[reportUnknownVariableType]  # untyped folder type
    from tokenizers import Tokenizer

    try:
        weights = cast("dict[str, Matrix]", load_file(folder / "model.safetensors"))
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except (SafetensorError, OSError, ValueError) as error:
        raise ConfigError(f"{name} cannot be read: {type(error).__name__}; get the model again") from error
    # One text at a time: padding would only add places that the mean has to leave out again.
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length=_MOST_TOKENS)  # pyright: ignore[reportUnknownMemberType]  # untyped options
    layers, heads = facts.get("num_hidden_layers"), facts.get("num_attention_heads")
    if not isinstance(layers, int) or not isinstance(heads, int):
        raise ConfigError(f"{name}: its config.json names no layers and heads")
    return BertEmbedder(name=name, weights=weights, tokenizer=tokenizer, layers=layers, heads=heads)


@dataclass(frozen=True, slots=True, kw_only=True)
class BertEmbedder:
    """An `Embedder`: the mean of the last layer's vectors, scaled to length 1.

    Attributes:
        weights: the tensors by their names in the file.
        layers, heads: how many the model has.
    """

    name: str
    weights: dict[str, Matrix]
    tokenizer: Tokenizer
    layers: int
    heads: int

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text; of the empty text, too."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        import numpy as np

        ids = self.tokenizer.encode(text).ids
        hidden = self._embedded(ids)
        for layer in range(self.layers):
            hidden = self._layer(hidden, f"encoder.layer.{layer}")
        mean = hidden.mean(axis=0)
        return cast("list[float]", (mean / max(float(np.linalg.norm(mean)), _EPSILON)).tolist())

    def _embedded(self, ids: Sequence[int]) -> Matrix:
        words = self.weights["embeddings.word_embeddings.weight"][ids]
        places = self.weights["embeddings.position_embeddings.weight"][: len(ids)]
        kind = self.weights["embeddings.token_type_embeddings.weight"][0]
        return self._norm(words + places + kind, "embeddings.LayerNorm")

    def _layer(self, hidden: Matrix, at: str) -> Matrix:
        attended = self._linear(self._attention(hidden, f"{at}.attention.self"), f"{at}.attention.output.dense")
        hidden = self._norm(hidden + attended, f"{at}.attention.output.LayerNorm")
        inner = _gelu(self._linear(hidden, f"{at}.intermediate.dense"))
        return self._norm(hidden + self._linear(inner, f"{at}.output.dense"), f"{at}.output.LayerNorm")

    def _attention(self, hidden: Matrix, at: str) -> Matrix:
        import numpy as np

        size = hidden.shape[1] // self.heads
        query, key, value = (
            self._linear(hidden, f"{at}.{part}").reshape(-1, self.heads, size).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(size)
        # Less the maximum, so that no exponential overflows.
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return (weights @ value).transpose(1, 0, 2).reshape(hidden.shape)

    def _linear(self, hidden: Matrix, at: str) -> Matrix:
        return hidden @ self.weights[f"{at}.weight"].T + self.weights[f"{at}.bias"]

    def _norm(self, hidden: Matrix, at: str) -> Matrix:
        import numpy as np

        mean = hidden.mean(axis=-1, keepdims=True)
        spread = np.sqrt(hidden.var(axis=-1, keepdims=True) + _EPSILON)
        return (hidden - mean) / spread * self.weights[f"{at}.weight"] + self.weights[f"{at}.bias"]


def _gelu(values: Matrix) -> Matrix:
    """The tanh form of GELU (Hendrycks and Gimpel 2016), which is within 0.0005 of the exact one."""
    import numpy as np

    return 0.5 * values * (1 + np.tanh(math.sqrt(2 / math.pi) * (values + 0.044715 * values**3)))
