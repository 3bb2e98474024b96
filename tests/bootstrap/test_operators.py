"""Who is an operator: by a file that nobody else could have written, and a token that no caller has."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from fourfold.bootstrap.configuration import read_configuration
from fourfold.bootstrap.operators import operator_of, read_operators
from fourfold.bootstrap.sections import OperatorEntry, RetentionSection
from fourfold.errors import ConfigError
from fourfold.model.operator import Operator
from fourfold.model.retention import Retention

TOKEN = "a-token-of-ana-that-is-long-enough"
CALLERS_TOKEN = "a-token-of-clerk-that-is-long-enough"
OPERATOR = f"""
[[operator]]
name = "ana"
principal = "ana@acme"
tenants = ["acme"]
permissions = ["plans.approve"]
token_sha256 = "{sha256(TOKEN.encode()).hexdigest()}"
"""
CALLER = f"""
[[caller]]
name = "clerk"
tenant = "acme"
principal = "clerk@acme"
token_sha256 = "{sha256(CALLERS_TOKEN.encode()).hexdigest()}"
"""


def written(folder: Path, text: str = CALLER + OPERATOR, *, mode: int = 0o600) -> Path:
    """A configuration with that text and mode."""
    path = folder / "fourfold.toml"
    path.write_text(text, "utf-8")
    path.chmod(mode)
    return path


def test_a_person_is_known_by_their_token(tmp_path: Path) -> None:
    """B18, C7: name, principal, tenants and permissions come from the file and from nowhere else."""
    found = operator_of(TOKEN, read_operators(written(tmp_path)))

    assert found == Operator(
        name="ana", principal="ana@acme", tenants=frozenset({"acme"}), permissions=frozenset({"plans.approve"})
    )


@pytest.mark.parametrize(
    ("token", "told"),
    [
        (CALLERS_TOKEN, r"^no \[\[operator\]\] has this token$"),
        (f"{TOKEN}x", r"^no \[\[operator\]\] has this token$"),
        ("", "at least 32 characters"),
        ("hunter2", "at least 32 characters"),
    ],
)
def test_nobody_else_is_an_operator(tmp_path: Path, token: str, told: str) -> None:
    """C7: a caller's token is none, and the message does not repeat what was tried."""
    with pytest.raises(ConfigError, match=told) as refused:
        operator_of(token, read_operators(written(tmp_path)))

    assert not token or token not in str(refused.value)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666, 0o664])
def test_a_file_that_others_can_write_makes_nobody_an_operator(tmp_path: Path, mode: int) -> None:
    """C7: they could have written themselves into it."""
    with pytest.raises(ConfigError, match=r"fourfold\.toml can be written by others"):
        read_operators(written(tmp_path, mode=mode))


@pytest.mark.parametrize(
    ("mode", "is_fine"), [(0o700, True), (0o755, True), (0o777, False), (0o775, False), (0o1777, True)]
)
def test_a_folder_in_which_others_can_replace_the_file_is_refused(tmp_path: Path, mode: int, is_fine: bool) -> None:
    """C7: unless the sticky bit keeps them from it."""
    folder = tmp_path / "there"
    folder.mkdir()
    path = written(folder)
    folder.chmod(mode)

    if is_fine:
        assert read_operators(path).operator[0].name == "ana"
        return
    with pytest.raises(ConfigError, match=r"the folder of fourfold\.toml can be written by others"):
        read_operators(path)


def test_a_link_is_followed_to_where_it_could_be_replaced(tmp_path: Path) -> None:
    """C7: both the link's folder and the file's."""
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.mkdir()
    theirs.mkdir()
    link = ours / "fourfold.toml"
    link.symlink_to(written(theirs))
    theirs.chmod(0o777)

    with pytest.raises(ConfigError, match=r"the folder of fourfold\.toml can be written by others"):
        read_operators(link)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_makes_nobody_an_operator(tmp_path: Path) -> None:
    """C7: it is theirs to write."""
    path = written(tmp_path)
    os.chown(path, 65_534, 65_534)

    with pytest.raises(ConfigError, match="belongs to another user"):
        read_operators(path)


def test_without_a_file_or_an_entry_nobody_is_an_operator(tmp_path: Path) -> None:
    """B18: nothing is the default."""
    with pytest.raises(ConfigError, match=r"there is no fourfold\.toml here"):
        read_operators(None)
    with pytest.raises(ConfigError, match=r"fourfold\.toml has no \[\[operator\]\]"):
        read_operators(written(tmp_path, CALLER))


def test_an_operator_has_no_callers_token(tmp_path: Path) -> None:
    """C7: an agent that has its own could approve with it; refused for every command, whichever comes first."""
    theirs, ours = sha256(CALLERS_TOKEN.encode()).hexdigest(), sha256(TOKEN.encode()).hexdigest()
    with pytest.raises(ConfigError, match=r"entries with one token_sha256: clerk and ana\. Give each its own\."):
        read_configuration(written(tmp_path, CALLER + OPERATOR.replace(ours, theirs)))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("ana", "ana"), "[[operator]] entries with one name: ana"),
        (('name = "ana"', 'name = "bo"'), "entries with one token_sha256: ana and bo"),
    ],
)
def test_two_operators_share_neither_name_nor_token(tmp_path: Path, change: tuple[str, str], told: str) -> None:
    """B18: who decided is never a matter of order."""
    with pytest.raises(ConfigError) as refused:
        read_configuration(written(tmp_path, OPERATOR + OPERATOR.replace(*change)))

    assert told in str(refused.value)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('["acme"]', "[]"),
        ('["acme"]', '"acme"'),
        ('["plans.approve"]', "[]"),
        ('["plans.approve"]', '["everything"]'),
        ('principal = "ana@acme"', ""),
        ('name = "ana"', 'name = ""'),
        ('name = "ana"', 'name = "ana"\nsuper = true'),
    ],
)
def test_an_entry_that_says_too_little_or_too_much_is_refused(tmp_path: Path, before: str, after: str) -> None:
    """B18: nothing is guessed."""
    with pytest.raises(ConfigError, match=r"fourfold\.toml is not right"):
        read_configuration(written(tmp_path, OPERATOR.replace(before, after, 1)))


@pytest.mark.parametrize(
    ("tenants", "tenant", "may"), [(["acme"], "acme", True), (["acme"], "globex", False), ("*", "globex", True)]
)
def test_an_operator_may_what_was_granted_where_it_was(tenants: list[str] | str, tenant: str, may: bool) -> None:
    """B18: a permission counts in their tenants only."""
    facts = {"name": "ana", "principal": "ana@acme", "tenants": tenants, "permissions": ["plans.approve"]}
    operator = OperatorEntry.model_validate({**facts, "token_sha256": "0" * 64}).operator

    assert operator.may("plans.approve", tenant=tenant) is may
    assert not operator.may("claims.settle", tenant=tenant)


def test_retention_is_read_in_hours_and_days() -> None:
    """D1: with the defaults of the reference."""
    assert RetentionSection().retention == Retention()
    assert (Retention().outcome_ms, Retention().tombstone_ms) == (72 * 3_600_000, 30 * 86_400_000)
    assert RetentionSection(outcome_hours=24, tombstone_days=1, message_days=2, kept_days=3).retention == Retention(
        outcome_ms=86_400_000, tombstone_ms=86_400_000, message_ms=172_800_000, kept_ms=259_200_000
    )


def test_an_outcome_is_kept_for_a_day_at_least(tmp_path: Path) -> None:
    """D1: a client that comes back tomorrow must not do it twice."""
    with pytest.raises(ConfigError, match=r"retention\.outcome_hours: Input should be greater than or equal to 24"):
        read_configuration(written(tmp_path, "[retention]\noutcome_hours = 23\n"))
