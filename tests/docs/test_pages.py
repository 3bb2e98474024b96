"""How a page's blocks are read."""

from __future__ import annotations

import pytest

from tests.docs.pages import Step, blocks_in, steps_in

_PAGE = """\
# Title

```python
a = 1
```

<!-- not run: it needs two machines -->

```bash
fourfold serve
```

1. In a list:

   ```console server
   $ echo one
   one
   $ true
   ```
"""


def test_blocks_know_their_line_their_language_and_why_they_do_not_run() -> None:
    """A reason counts for the block right below it only."""
    found = [(block.line, block.language, block.not_run) for block in blocks_in(_PAGE)]

    assert found == [(4, "python", None), (10, "bash", "it needs two machines"), (16, "console", None)]


def test_what_stands_after_the_language_is_the_title() -> None:
    """A block that is a file says which; a renderer shows the block all the same."""
    (block,) = blocks_in("```toml fourfold.toml\n[serve]\n```\n")

    assert (block.language, block.title, block.text) == ("toml", "fourfold.toml", "[serve]\n")


def test_a_console_block_is_commands_with_their_output() -> None:
    """The indent of the list it stands in is not part of it."""
    console = [block for block in blocks_in(_PAGE) if block.language == "console"]

    assert console[0].title == "server"
    assert steps_in(console[0]) == (Step(command="echo one", output="one\n"), Step(command="true", output=""))


def test_a_console_block_without_a_command_is_refused() -> None:
    """It would look checked and be prose."""
    (block,) = blocks_in("```console\none\n```\n")

    with pytest.raises(ValueError, match="starts with a command"):
        steps_in(block)
