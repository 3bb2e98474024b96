"""What chooses: models behind an API, and recorded answers. Models need the extra `fourfold[upstream]`.

| `failure` | what came back |
|---|---|
| `rate_limited` | 429, until there were no attempts left or its `Retry-After` was too long |
| `unreachable`, `broken`, `timeout` | no connection, one that broke, or no end of the answer in time |
| `http_NNN` | another status; the provider's message stands in `text` |
| `provider_error` | an answer that says that something went wrong at the provider |
| `malformed` | an answer that is not what the API promises |
| `too_large` | an answer beyond `answer_bytes` |
| `truncated` | it reached `max_tokens`, or broke off; calls and text are what came of it |
| `refused` | the provider's own filter has refused; `text` is what it said |
| `not_recorded` | a replay that has no such answer |

A model that says in its own words that it will not is an answer, and no failure.
"""

from __future__ import annotations

from fourfold.adapters.choosers.key import ApiKey
from fourfold.adapters.choosers.replay import ReplayChooser

__all__ = ["ApiKey", "ReplayChooser"]
