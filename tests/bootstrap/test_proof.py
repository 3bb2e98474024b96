"""Who calls a target that is to be proved, and on which terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.bootstrap.configuration import Configuration
from fourfold.bootstrap.proof import Proving, Wishes, proving_of
from fourfold.bootstrap.proving import Address
from fourfold.errors import ConfigError

URL = "http://127.0.0.1:8765/mcp"
COMMAND = ("python", "server.py")


def entry(tenant: str, more: str) -> str:
    """One caller of a file, with how it is reached."""
    return f'[[caller]]\nname = "{tenant}"\ntenant = "{tenant}"\nprincipal = "p@{tenant}"\n{more}\n'


def proving(
    where: str | tuple[str, ...], *entries: str, folder: Path, token: str | None = None, **asked: int | bool
) -> Proving:
    """What is asked of a server, with the callers of a file."""
    path = folder / "callers.toml"
    path.write_text("\n".join(entries), "utf-8")
    wishes = Wishes(callers=path if entries else None, **asked)  # pyright: ignore[reportArgumentType]  # seed or writes
    return proving_of("target", where, configuration=Configuration(), wishes=wishes, token=token)


def test_without_a_file_the_target_has_one_caller(tmp_path: Path) -> None:
    """B12: with the token of the environment, if there is one; what takes two callers is not tested."""
    assert proving(URL, folder=tmp_path, token="own").addresses == (Address(target=URL, token="own"),)
    assert proving(COMMAND, folder=tmp_path).addresses == (Address(target=COMMAND),)


def test_a_file_with_two_tenants_names_both_callers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B12: a second entry of a tenant is nobody else; a token in a file stands beside the file."""
    monkeypatch.setenv("OF_ACME", "one")
    (tmp_path / "globex.token").write_text("two\n", "utf-8")
    acme, globex = entry("acme", 'token_env = "OF_ACME"'), entry("globex", 'token_file = "globex.token"')
    twin = acme.replace('name = "acme"', 'name = "acme-2"')

    found = proving(URL, acme, twin, globex, folder=tmp_path, token="own").addresses

    assert found == (Address(target=URL, token="one"), Address(target=URL, token="two"))


def test_a_file_with_one_caller_names_the_second(tmp_path: Path) -> None:
    """B12: the first is the target's own; a started server answers as whoever its command says."""
    other = entry("globex", 'command = ["python", "server.py", "--as", "globex"]')

    found = proving(COMMAND, other, folder=tmp_path).addresses

    assert found == (Address(target=COMMAND), Address(target=("python", "server.py", "--as", "globex")))


@pytest.mark.parametrize(
    ("where", "entries", "said"),
    [
        (URL, [entry("acme", 'command = ["x"]')], r"no \[\[caller\]\] with token_env or token_file"),
        (COMMAND, [entry("acme", 'token_env = "X"')], r"no \[\[caller\]\] with command"),
        (URL, [entry("acme", 'token_env = "OF_NOBODY"')], "set OF_NOBODY"),
        (URL, [entry("acme", 'token_file = "gone.token"')], r"cannot be read from gone\.token"),
        (COMMAND, [entry("acme", 'command = ["python", "server.py"]')], "they would be the same caller"),
    ],
)
def test_callers_that_cannot_be_reached_are_refused(
    tmp_path: Path, where: str | tuple[str, ...], entries: list[str], said: str
) -> None:
    """B12: a run with one caller instead of two would look like a proof about tenants."""
    with pytest.raises(ConfigError, match=said):
        proving(where, *entries, folder=tmp_path)


def test_a_token_is_not_shown(tmp_path: Path) -> None:
    """Not even by a value that is printed."""
    assert "secret-token" not in repr(proving(URL, folder=tmp_path, token="secret-token"))


def test_options_win_over_the_configuration() -> None:
    """B12: the seed, the calls; what may go untested is what either allows."""
    section = {"seed": 5, "max_calls": 50, "allow_untested": ["paths"]}
    configuration = Configuration.model_validate({"prove": section})

    written = proving_of("t", URL, configuration=configuration, wishes=Wishes())
    asked = proving_of("t", URL, configuration=configuration, wishes=Wishes(seed=0, max_calls=9, allow_untested=("x",)))

    assert (written.terms.seed, written.terms.max_calls, written.allowed) == (5, 50, ("paths",))
    assert (asked.terms.seed, asked.terms.max_calls, asked.allowed) == (0, 9, ("x", "paths"))


def test_a_server_of_somebody_else_gets_fewer_calls() -> None:
    """B12: it may be one that is in use."""
    assert proving_of("t", URL, configuration=Configuration(), wishes=Wishes()).terms.max_calls == 1_000
