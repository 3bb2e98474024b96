"""The service: a catalog with its ports, and what it refuses to serve."""

from __future__ import annotations

import pytest

from fourfold import Catalog
from fourfold.errors import ConfigError
from fourfold.stages.pipeline import STAGES
from fourfold.testing import open_kit
from tests.stages.desk import Fixed, desk, one_tool, said
from tests.stages.serving import serving

pytestmark = pytest.mark.anyio


async def test_a_service_says_what_its_catalog_is_called() -> None:
    """B9: name, version and instructions, as clients see them."""
    catalog = Catalog("desk", version="3.1", instructions="Count before you add.")
    catalog.declarations.extend(one_tool(said).declarations)
    async with serving(catalog) as served:
        assert (served.service.name, served.service.version) == ("desk", "3.1")
        assert served.service.instructions == "Count before you add."


async def test_an_unknown_toolset_is_refused_with_the_known_ones() -> None:
    """B11: a server that lists nothing looks healthy and helps nobody."""
    with pytest.raises(ConfigError, match=r"^no toolset is named notes, wrong; known: reading, writing$"):
        async with serving(desk(toolsets=["writing", "reading"]), toolsets=["wrong", "writing", "notes"]):
            raise AssertionError


async def test_a_catalog_without_toolsets_has_none_to_choose() -> None:
    """B11: and says so."""
    with pytest.raises(ConfigError, match=r"^no toolset is named notes; known: none$"):
        async with serving(desk(), toolsets=["notes"]):
            raise AssertionError


def test_the_stages_are_in_the_order_of_the_design() -> None:
    """A2, B18: nobody learns from a later stage what an earlier one would have refused."""
    assert [stage.__name__ for stage in STAGES] == [
        "run",
        "admit",
        "validate_input",
        "recall",
        "authorize",
        "plan",
        "replay",
        "consent",
        "approve",
        "claim",
    ]


def test_each_refusal_comes_from_the_first_stage_that_has_one() -> None:
    """A2, B19: an unknown tool before its arguments, arguments before rights, rights before keys."""
    with open_kit(desk(Fixed("deny"))) as kit:
        invalid = {"account_id": "?", "text": "hi"}
        valid = {"account_id": "acct-1", "text": "hi"}

        assert kit.call("note_burn", invalid).code == "unknown_tool"
        assert kit.call("note_add", invalid).code == "invalid_arguments"
        assert kit.call("note_add", valid, key="k" * 16).code == "unknown_account"
        assert [list(run.stage_us)[-1] for run in kit.runs()] == ["authorize", "validate_input", "admit"]
