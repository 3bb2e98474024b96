"""What a server does beside its calls."""

from __future__ import annotations

import pytest

from fourfold.bootstrap.upkeep import looked_after
from fourfold.errors import ConfigError
from tests.stages.desk import desk
from tests.stages.post import Postman, office
from tests.stages.serving import eventually, serving

pytestmark = pytest.mark.anyio


async def test_messages_go_out_while_a_server_is_up() -> None:
    """B4: as soon as they are committed."""
    postman = Postman()
    async with serving(office(postman)) as served, looked_after(served.service):
        await served.call("letter_post", {"to": "ada", "copies": 3})
        await eventually(lambda: len(postman.got) == 3)


async def test_what_ends_the_server_is_told_as_it_is() -> None:
    """B9: an address that is taken is no group of errors."""
    async with serving(desk()) as served:
        with pytest.raises(ConfigError, match=r"^the address is taken$"):
            async with looked_after(served.service):
                raise ConfigError("the address is taken")
