"""The configuration file: where it is found, what it may say, and how its mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold import Caller
from fourfold.bootstrap.configuration import Configuration, find_configuration, read_configuration
from fourfold.errors import ConfigError

TOKEN = "3f" * 32
FILE = f"""
[serve]
caller = "clerk"
store = "sqlite:///billing.db"
public_hosts = ["mcp.example.com"]
allowed_origins = ["https://app.example.com"]
toolsets = ["reading"]
modern_only = true
replicas = 2

[[caller]]
name = "clerk"
tenant = "acme"
principal = "clerk@acme"
scopes = ["quotes:write"]
token_sha256 = "{TOKEN}"

[[caller]]
name = "guest"
tenant = "acme"
principal = "guest@acme"
"""


def written(folder: Path, text: str, name: str = "fourfold.toml") -> Path:
    """A file with that text."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def in_project(text: str) -> str:
    """The same as a section of `pyproject.toml`."""
    return text.replace("[[caller]]", "[[tool.fourfold.caller]]").replace("[serve]", "[tool.fourfold.serve]")


@pytest.mark.parametrize(("name", "text"), [("fourfold.toml", FILE), ("pyproject.toml", in_project(FILE))])
def test_both_forms_say_the_same(tmp_path: Path, name: str, text: str) -> None:
    """B18: a file of its own, or a section of the project's."""
    found = read_configuration(written(tmp_path, text, name))

    assert found.serve.model_dump() == {
        "caller": "clerk",
        "store": "sqlite:///billing.db",
        "public_hosts": ["mcp.example.com"],
        "allowed_origins": ["https://app.example.com"],
        "toolsets": ["reading"],
        "modern_only": True,
        "replicas": 2,
        "console": False,
    }
    assert found.named("clerk") == Caller(
        principal="clerk@acme", tenant="acme", scopes=frozenset({"quotes:write"}), name="clerk"
    )
    assert [entry.token_sha256 for entry in found.caller] == [TOKEN, None]


@pytest.mark.parametrize(
    ("name", "text"),
    [("fourfold.toml", ""), ("pyproject.toml", "[project]\nname = 'x'\n"), ("pyproject.toml", "tool = 1")],
)
def test_a_file_without_settings_has_the_defaults(tmp_path: Path, name: str, text: str) -> None:
    """B9: nobody has to configure anything."""
    assert read_configuration(written(tmp_path, text, name)) == read_configuration(None) == Configuration()


def test_the_files_own_folder_comes_before_the_project_and_the_module(tmp_path: Path) -> None:
    """B9: fourfold.toml, then pyproject.toml, then what the module ships."""
    (tmp_path / "module").mkdir()
    module = tmp_path / "module"
    assert find_configuration(tmp_path, beside=module) is None
    shipped = written(module, FILE)
    assert find_configuration(tmp_path, beside=module) == shipped
    assert find_configuration(tmp_path) is None
    project = written(tmp_path, in_project(FILE), "pyproject.toml")
    assert find_configuration(tmp_path, beside=module) == project
    own = written(tmp_path, FILE)
    assert find_configuration(tmp_path, beside=module) == own


@pytest.mark.parametrize("text", ["[project]\nname = 'x'\n", "tool = 1\n", "[tool.other]\nx = 1\n"])
def test_a_project_without_our_section_is_passed_over(tmp_path: Path, text: str) -> None:
    """B9: most projects have one."""
    written(tmp_path, text, "pyproject.toml")

    assert find_configuration(tmp_path) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[serve]\ncalller = 'clerk'", "serve.calller: Extra inputs are not permitted"),
        ("[server]\ncaller = 'clerk'", "server: Extra inputs are not permitted"),
        ("[serve]\nmodern_only = 'false'", "serve.modern_only: Input should be a valid boolean"),
        ("[serve]\nreplicas = 0", "serve.replicas: Input should be greater than or equal to 1"),
        ("[serve]\nmodern_only = 0", "serve.modern_only: Input should be a valid boolean"),
        ("[serve]\ntoolsets = 'reading'", "serve.toolsets: Input should be a valid list"),
        ("[[caller]]\nname = 'a'", "caller.0.tenant: Field required"),
        ("[[caller]]\nname = ''\ntenant = 'acme'\nprincipal = 'a'", "caller.0.name: String should match pattern"),
        ("[[caller]]\nname = 'a'\ntenant = ''\nprincipal = 'a'", "caller.0.tenant: String should have at least 1"),
        (
            "[[caller]]\nname = 'a'\ntenant = 'acme'\nprincipal = 'a'\nscopes = [1]",
            "caller.0.scopes.0: Input should be",
        ),
    ],
)
def test_each_mistake_is_told_with_its_place(tmp_path: Path, text: str, told: str) -> None:
    """B9: in the words of the file."""
    with pytest.raises(ConfigError, match=r"^fourfold\.toml is not right:") as caught:
        read_configuration(written(tmp_path, text))

    assert f"  {told}" in str(caught.value)


def test_every_mistake_is_told_at_once(tmp_path: Path) -> None:
    """B9: one round of editing mends them all."""
    with pytest.raises(ConfigError) as caught:
        read_configuration(written(tmp_path, "colour = 1\n[serve]\nstore = 5\n[[caller]]\nname = '?'\n"))

    places = [line.split(":")[0].strip() for line in str(caught.value).splitlines()[1:]]
    assert sorted(places) == ["caller.0.name", "caller.0.principal", "caller.0.tenant", "colour", "serve.store"]


def test_a_section_that_is_no_section_is_told(tmp_path: Path) -> None:
    """B9: also where there is no place to name."""
    with pytest.raises(ConfigError, match="all of it: Input should be"):
        read_configuration(written(tmp_path, "[tool]\nfourfold = 3\n", "pyproject.toml"))


@pytest.mark.parametrize("token", ["hunter2", "3F" * 32, "3f" * 31, f"sha256:{'3f' * 32}"])
def test_a_wrong_token_hash_is_not_repeated(tmp_path: Path, token: str) -> None:
    """B18: somebody may have written the token itself."""
    text = f"[[caller]]\nname = 'a'\ntenant = 'acme'\nprincipal = 'a'\ntoken_sha256 = '{token}'"
    with pytest.raises(ConfigError, match=r"caller\.0\.token_sha256: String should match pattern") as caught:
        read_configuration(written(tmp_path, text))

    assert token not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "token", "told"),
    [
        ("clerk", "4f" * 32, "one name: clerk"),
        ("other", TOKEN, "one token_sha256: clerk and other"),
    ],
)
def test_two_callers_share_neither_name_nor_token(tmp_path: Path, name: str, token: str, told: str) -> None:
    """B18: who calls is never a matter of order; the hash stays out of the message."""
    twin = f"[[caller]]\nname = '{name}'\ntenant = 'acme'\nprincipal = 'x'\ntoken_sha256 = '{token}'\n"
    with pytest.raises(ConfigError, match=f"{told}. Give each its own.$") as caught:
        read_configuration(written(tmp_path, FILE + twin))

    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"[serve\n", "Expected"), (b"\xff\xfe", "codec can't decode"), (b"a = 1\na = 2\n", "Cannot overwrite a value")],
)
def test_a_file_that_is_no_toml_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    """B9: with the reader's own words about where."""
    path = tmp_path / "fourfold.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"^fourfold\.toml cannot be read: ") as caught:
        read_configuration(path)

    assert told in str(caught.value)


@pytest.mark.parametrize("name", ["fourfold.toml", "pyproject.toml"])
def test_a_file_that_cannot_be_opened_is_told(tmp_path: Path, name: str) -> None:
    """B9: a folder of that name is none."""
    (tmp_path / name).mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        read_configuration(tmp_path / name)

    assert find_configuration(tmp_path) is None


def test_a_project_that_is_no_toml_is_told_and_not_passed_over(tmp_path: Path) -> None:
    """B9: our section may be in it."""
    written(tmp_path, "[tool.fourfold\n", "pyproject.toml")
    with pytest.raises(ConfigError, match=r"^pyproject\.toml cannot be read"):
        find_configuration(tmp_path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (FILE, r"no \[\[caller\]\] is named 'boss'; configured: clerk, guest\. Add one to fourfold\.toml\."),
        ("", r"no \[\[caller\]\] is named 'boss'; configured: none\. Add one to fourfold\.toml\."),
    ],
)
def test_an_unknown_caller_is_told_with_the_known_ones(tmp_path: Path, text: str, told: str) -> None:
    """B18: a mistyped name is never somebody else."""
    with pytest.raises(ConfigError, match=told):
        read_configuration(written(tmp_path, text)).named("boss")
