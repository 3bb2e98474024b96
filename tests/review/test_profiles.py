"""Client profiles: the data is whole, dated and sourced, and the choice among them is what the module says."""

from __future__ import annotations

import re
from datetime import date

import pytest

from fourfold.errors import ConfigError
from fourfold.review.profile import Profile, all_profiles, chosen
from fourfold.review.registry import all_rules

PROFILES = pytest.mark.parametrize("profile", all_profiles(), ids=lambda profile: profile.name)


def test_every_client_that_the_review_speaks_of_has_a_profile() -> None:
    """D3: the clients, the model APIs and the revisions of the protocol."""
    assert [profile.name for profile in all_profiles()] == [
        "anthropic-api",
        "bedrock",
        "claude-code",
        "cursor",
        "gemini-functions",
        "mcp-2025-06-18",
        "mcp-2025-11-25",
        "mcp-2026-07-28",
        "mcp-ts-sdk",
        "openai-chatgpt",
        "openai-functions",
        "openai-o3-mini",
        "openai-strict",
        "vscode-copilot",
    ]


@PROFILES
def test_a_profile_is_dated_and_every_demand_has_a_source(profile: Profile) -> None:
    """D3: a limit without a day and an address can't be checked again."""
    assert profile.as_of >= date(2026, 9, 1)
    assert profile.title
    assert "{tool}" in profile.prefix
    for demand in profile.demands:
        assert demand.sources
        assert all(re.match(r"https://[a-z0-9.-]+/", source) for source in demand.sources)
        assert demand.outcome in ("degraded", "refused")
        assert demand.blast_radius in ("tool", "server", "request")
        assert demand.note
        assert not demand.note.endswith(".")
        assert set(demand.schemas) <= {"input", "output"}


@PROFILES
def test_a_demand_names_a_rule_that_checks_it(profile: Profile) -> None:
    """D3: a demand that nobody checks would look kept."""
    assert {demand.rule for demand in profile.demands} <= {rule.symbol for rule in all_rules()}


def test_each_rule_of_the_family_is_demanded_by_a_client() -> None:
    """D3: a rule that no profile asks for could never fire."""
    demanded = {demand.rule for profile in all_profiles() for demand in profile.demands}

    assert {rule.symbol for rule in all_rules() if rule.id.startswith("FF6")} <= demanded


def test_nobody_named_means_every_profile_as_its_file_has_it() -> None:
    """D3: the default of a review."""
    assert chosen(()) == all_profiles()


def test_a_named_client_counts_as_one_that_is_expected() -> None:
    """D3: a team that names Gemini wants its refusals as errors."""
    (gemini,) = chosen(["gemini"])

    assert gemini.name == "gemini-functions"
    assert gemini.expected
    assert not next(profile for profile in all_profiles() if profile.name == "gemini-functions").expected


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (["claude-code", "gemini"], ["claude-code", "gemini-functions"]),
        (["openai"], ["openai-chatgpt", "openai-functions", "openai-o3-mini", "openai-strict"]),
        (["mcp-2026-07-28"], ["mcp-2026-07-28"]),
        (["cursor", "cursor"], ["cursor"]),
    ],
)
def test_a_name_or_the_beginning_of_some_names_chooses(named: list[str], found: list[str]) -> None:
    """D3: `openai` is all of OpenAI's profiles."""
    assert [profile.name for profile in chosen(named)] == found


@pytest.mark.parametrize("name", ["gemni", "claud", "", "gemini-"])
def test_an_unknown_client_is_refused_with_the_known_ones(name: str) -> None:
    """D3: a misspelt client would otherwise count for nothing, silently."""
    with pytest.raises(ConfigError, match=r"there is no client profile .*anthropic-api, bedrock, claude-code"):
        chosen([name])


@pytest.mark.parametrize(
    ("client", "rule", "severity"),
    [
        ("claude-code", "root-not-object", "error"),
        ("claude-code", "ref-not-inlined", "warning"),
        ("gemini-functions", "const-unsupported", "advice"),
        ("openai-strict", "any-keys-object", "advice"),
    ],
)
def test_a_refusal_is_worse_than_less_and_both_are_advice_for_a_client_that_nobody_expects(
    client: str, rule: str, severity: str
) -> None:
    """D3: or every optional argument of every Python server would be an error."""
    profile = next(profile for profile in all_profiles() if profile.name == client)

    assert profile.severity(profile.of_rule(rule)[0]) == severity
