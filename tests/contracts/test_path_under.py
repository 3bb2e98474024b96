"""`PathUnder`: a path stays under its root after every link is followed, with real files and real links."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import Field

from fourfold.contracts.check import CheckedInput, InputCheck
from fourfold.contracts.markers import PathUnder
from fourfold.contracts.schema import canonical, published
from tests.contracts.declaring import input_with

_NUL = ("nul_character", "text without the character U+0000")
_REFUSED = ("path_outside_root", "a relative path inside the allowed folder")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with files and links: in, out, and round in circles."""
    inside, outside = tmp_path / "root", tmp_path / "outside"
    (inside / "docs").mkdir(parents=True)
    outside.mkdir()
    (inside / "docs/a.txt").touch()
    (outside / "secret.txt").touch()
    (inside / "out.txt").symlink_to(outside / "secret.txt")
    (inside / "outdir").symlink_to(outside)
    (inside / "in.txt").symlink_to(inside / "docs/a.txt")
    (inside / "loop").symlink_to(inside / "loop")
    (inside / "up").symlink_to("..")
    return inside


def resolve(root: Path, text: str, **bounds: Any) -> Path | tuple[str, str]:
    """What the handler gets for `text`, or the code and the words of its refusal."""
    model = input_with(file=Annotated[Path, Field(**bounds), PathUnder(root)])
    found = InputCheck(model, None, published(canonical(model))).check({"file": text})
    if isinstance(found, CheckedInput):
        return cast("Any", found).request.file
    (problem,) = found
    assert problem.pointer == "/file"
    return problem.code, problem.expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("docs/a.txt", "docs/a.txt"),
        ("docs/../docs/./a.txt", "docs/a.txt"),
        ("in.txt", "docs/a.txt"),
        ("docs/new/made later.txt", "docs/new/made later.txt"),
        ("docs/füße-文.txt", "docs/füße-文.txt"),
        ("~/a", "~/a"),
        (".", "."),
    ],
)
def test_a_path_inside_is_resolved(root: Path, text: str, expected: str) -> None:
    """B2: also one that is not there yet, and a link that stays inside."""
    assert resolve(root, text) == (root / expected).resolve()


@pytest.mark.parametrize(
    "text",
    [
        "../outside/secret.txt",
        "docs/../../outside",
        "..",
        "/etc/passwd",
        "//etc/passwd",
        "out.txt",
        "outdir/secret.txt",
        "outdir",
        "up",
        "up/outside/secret.txt",
        "loop",
        "loop/x",
    ],
)
def test_a_path_that_leads_out_is_refused(root: Path, text: str) -> None:
    """B2: absolute, with .., through a link to a file or a folder, in a circle."""
    assert resolve(root, text) == _REFUSED


def test_a_path_with_a_nul_is_no_path(root: Path) -> None:
    """B2: it is refused as in every text, before it is looked for."""
    assert resolve(root, "docs/a\0.txt") == _NUL


@given(
    steps=st.lists(
        st.sampled_from([".", "..", "/", "//", "a", "~", "é", "\\", "\0", "outdir", "up", "loop"]), min_size=1
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_leads_out_of_the_root(root: Path, steps: list[str]) -> None:
    """B2: whatever is put together of dots, slashes and links."""
    found = resolve(root, "/".join(steps))

    assert found in (_REFUSED, _NUL) or cast("Path", found).is_relative_to(root.resolve())


def test_the_published_schema_is_a_bounded_string_without_the_root(root: Path) -> None:
    """B2, A5: where the server keeps its files is nobody's business; a tighter bound of the author holds."""
    schema = published(canonical(input_with(file=Annotated[str, Field(max_length=80), PathUnder(root)])))

    assert schema["properties"]["file"] == {"type": "string", "minLength": 1, "maxLength": 80}
    assert resolve(root, "") == ("out_of_bounds", "a string in quotes of 1 to 4,096 characters")


def test_the_handler_is_tested_with_plain_text(root: Path) -> None:
    """A3: an input made in Python resolves as one from the wire does."""
    model: Any = input_with(file=Annotated[Path, PathUnder(root)])

    assert model(file="in.txt").file == (root / "docs/a.txt").resolve()
