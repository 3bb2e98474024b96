"""`HttpSettings`: how the HTTP side is bounded and reached."""

from __future__ import annotations

from dataclasses import dataclass

from fourfold.errors import ConfigError

__all__ = ["HttpSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """Bounds and names of the HTTP endpoint.

    Attributes:
        path: where the endpoint is; `/healthz` is taken.
        max_body_bytes: size of a request body; HTTP 413.
        read_timeout_s: seconds that a client may take to send its body; HTTP 408.
        public_hosts: names that clients reach the server by; needed when bound beyond loopback.
        allowed_origins: origins of web pages that may call, such as `https://app.example.com`.
        beyond_loopback: whether other machines can reach the port.
        modern_only: turns the revisions with a handshake (up to 2025-11-25) off.
        json_response: answer with one JSON body; otherwise a call may stream progress before its answer.
        resource_metadata: URL of the RFC 9728 document, named in 401 and 403 answers.

    Raises:
        ConfigError: a value that cannot work.
    """

    path: str = "/mcp"
    max_body_bytes: int = 1_048_576
    read_timeout_s: float = 10.0
    public_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    beyond_loopback: bool = False
    modern_only: bool = False
    json_response: bool = True
    resource_metadata: str | None = None

    def __post_init__(self) -> None:
        if not self.path.startswith("/") or self.path == "/healthz":
            raise ConfigError(f"path {self.path!r} must start with / and must not be /healthz")
        if self.max_body_bytes <= 0 or self.read_timeout_s <= 0:
            raise ConfigError("max_body_bytes and read_timeout_s must be above 0")
        if self.beyond_loopback and not self.public_hosts:
            raise ConfigError("bound beyond loopback: set public_hosts to the names that clients reach this server by")
