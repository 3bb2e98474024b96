"""`ApiKey`: where it comes from, and that it shows itself to nobody."""

from __future__ import annotations

import logging
import pickle

import pytest

from fourfold.adapters.choosers import ApiKey
from fourfold.adapters.choosers.http import ProviderTerms
from fourfold.errors import ConfigError

SECRET = "sk-0123456789abcdef"


def test_a_key_shows_itself_only_when_it_is_asked_to(caplog: pytest.LogCaptureFixture) -> None:
    """Neither printed, formatted, logged nor pickled."""
    key = ApiKey.from_variable("MODEL_KEY", {"MODEL_KEY": f" {SECRET}\n"})
    logging.getLogger("test").warning("key %s", key)

    assert SECRET not in f"{key} {key!r} {[key]} {caplog.text}"
    assert (key.reveal(), bool(key), bool(ApiKey.from_variable("", {}))) == (SECRET, True, False)
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(key)


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        (SECRET, {}),
        ("MODEL_KEY", {}),
        ("MODEL_KEY", {"MODEL_KEY": ""}),
        ("MODEL_KEY", {"MODEL_KEY": f"{SECRET} x"}),
        ("MODEL_KEY", {"MODEL_KEY": f"{SECRET}é"}),
    ],
)
def test_a_key_that_cannot_be_had_is_named_and_not_repeated(name: str, environment: dict[str, str]) -> None:
    """Who gives a key where a name belongs doesn't find it in a log."""
    with pytest.raises(ConfigError) as raised:
        ApiKey.from_variable(name, environment)

    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("url", ["", "api.openai.com", "ftp://x", "https://", "https://user@x", "https://u:p@x/v1"])
def test_a_base_url_is_http_and_holds_no_user(url: str) -> None:
    """It is printed in reports."""
    with pytest.raises(ConfigError):
        ProviderTerms(model="m", base_url=url)
