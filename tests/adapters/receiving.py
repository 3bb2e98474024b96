"""A mail server and an HTTP receiver on real sockets, that answer as they are told. They run in the test's own loop."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

__all__ = ["Mailbox", "Post", "Receiver", "certificate", "mailbox", "receiver"]


@dataclass(slots=True)
class Mailbox:
    """An SMTP server (RFC 5321, the part that senders use) with the mails that it took.

    `replies` replaces the answer to a command: `{"RCPT": "550 no such mailbox"}`; an empty one hangs up.
    """

    replies: dict[str, str] = field(default_factory=dict[str, str])
    mails: list[str] = field(default_factory=list[str])
    recipients: list[str] = field(default_factory=list[str])
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            await self._converse(reader, writer)
        except ConnectionError:
            writer.close()
        finally:
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, command = b"220 ready", "GREETING"
        while True:
            reply = self.replies.get(command, line.decode())
            if not reply:
                return
            writer.write(f"{reply}\r\n".encode())
            await writer.drain()
            if command == "DATA" and reply.startswith("354"):
                command, line = "ACCEPTED", b"250 kept"
                await self._take(reader)
                continue
            if command == "QUIT":
                return
            heard = (await reader.readline()).decode().strip()
            command = heard[:4].upper()
            if not command:
                return
            if command == "RCPT":
                self.recipients.append(heard)
            line = {"DATA": b"354 go on", "QUIT": b"221 bye", "AUTH": b"235 come in"}.get(command, b"250 fine")
            if command == "EHLO":
                line = b"250-here\r\n250 AUTH PLAIN"

    async def _take(self, reader: asyncio.StreamReader) -> None:
        self.mails.append((await reader.readuntil(b"\r\n.\r\n")).decode())


@dataclass(frozen=True, slots=True)
class Post:
    """A request as it came."""

    start: str
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True)
class Receiver:
    """An HTTP server that keeps what is posted and answers with `reply`; an empty one hangs up."""

    reply: bytes = b"HTTP/1.1 204 No Content\r\n\r\n"
    posts: list[Post] = field(default_factory=list[Post])
    hangs: bool = False
    port: int = 0

    @property
    def url(self) -> str:
        """Where to post to."""
        return f"http://127.0.0.1:{self.port}/hook"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection with one request."""
        try:
            start, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
            headers = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
            }
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.posts.append(Post(start, headers, body))
            if self.hangs:
                await reader.read()
            writer.write(self.reply)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            writer.close()
        finally:
            writer.close()


@asynccontextmanager
async def mailbox(context: ssl.SSLContext | None = None, **replies: str) -> AsyncGenerator[Mailbox]:
    """A mail server on a free port; with `context`, over TLS from the first byte."""
    box = Mailbox(replies)
    server = await asyncio.start_server(box.serve, "127.0.0.1", 0, ssl=context)
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        server.close()


@asynccontextmanager
async def receiver(
    reply: bytes = b"HTTP/1.1 204 No Content\r\n\r\n", *, hangs: bool = False
) -> AsyncGenerator[Receiver]:
    """An HTTP receiver on a free port."""
    found = Receiver(reply, hangs=hangs)
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS for a server on 127.0.0.1, and for a client that trusts it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now)
        .not_valid_after(now + timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    certificate_path, key_path = folder / "server.pem", folder / "server.key"
    certificate_path.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key_path.write_bytes(key.private_bytes(pem, pkcs8, serialization.NoEncryption()))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate_path, key_path)
    return server, ssl.create_default_context(cafile=str(certificate_path))
