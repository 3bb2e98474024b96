"""`small_server` as a process: `http` prints a URL, under which each path is a flaw; `stdio FLAW` serves its pipes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping

from tests.prove.small_server import Answer, SmallServer, error

HELD_S = 3
"""Seconds that a stream stays open, or a process stays after its end, where that is the flaw."""

TOKENS = {"Bearer first": "first", "Bearer second": "second"}


class HttpServer:
    """One server for each path, as bare as HTTP/1.1 can be: one request a connection."""

    def __init__(self) -> None:
        self.servers: dict[str, SmallServer] = {}

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        verb, path, _ = head[0].split(" ", 2)
        raw = dict(line.split(":", 1) for line in head[1:] if ":" in line)
        headers = {name.lower(): value.strip(" \t") for name, value in raw.items()}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        flaw = path.strip("/")
        server = self.servers.setdefault(flaw, SmallServer(flaw))
        if flaw == "header_names_matter":
            headers = {name if name == name.lower() else "": value.strip() for name, value in raw.items()} | {
                "authorization": headers.get("authorization", "")
            }
        await _write(writer, _outside(flaw, verb, headers) or server.take(body, headers, caller=_caller(headers)))


def _outside(flaw: str, verb: str, headers: Mapping[str, str]) -> Answer | None:
    """What is refused before the body is looked at."""
    if "origin" in headers and flaw != "any_origin":
        return Answer([], 403)
    if verb != "POST":
        return Answer([], 200 if flaw == "answers_get" else 405)
    if headers.get("authorization") not in TOKENS and flaw != "no_token_needed":
        return Answer([], 401, {"www-authenticate": "Bearer"})
    return None


def _caller(headers: Mapping[str, str]) -> str:
    return TOKENS.get(headers.get("authorization", ""), "first")


async def _write(writer: asyncio.StreamWriter, answer: Answer) -> None:
    if not answer.closes:
        lines = [f"HTTP/1.1 {answer.status} X", "connection: close"]
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        texts = [json.dumps(message) for message in answer.messages]
        if answer.streamed:
            unbuffered = [] if not answer.ends else ["x-accel-buffering: no"]
            lines += ["content-type: text/event-stream", *unbuffered]
            data = "".join(f"event: message\ndata: {text}\n\n" for text in texts)
        else:
            data = "\n".join(texts)
            lines += [f"content-length: {len(data)}", *(["content-type: application/json"] if data else [])]
        writer.write("\r\n".join([*lines, "", data]).encode("latin-1"))
        await writer.drain()
        if answer.streamed and not answer.ends:
            await asyncio.wait([asyncio.create_task(asyncio.Event().wait())], timeout=HELD_S)
    writer.close()


async def http() -> None:
    """Serve on a free port until the process is ended."""
    server = await asyncio.start_server(HttpServer().serve, "127.0.0.1", 0, limit=1 << 20)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await server.serve_forever()


def stdio(flaw: str) -> None:
    """Serve the process's pipes to the end of the input."""
    server = SmallServer(flaw)
    if flaw == "prints":
        sys.stdout.write("small server is ready\n")
    for line in sys.stdin.buffer:
        answer = server.take(line)
        if flaw == "answers_cancel" and b"notifications/cancelled" in line:
            answer = error("c", -32600)
        for message in answer.messages:
            text = json.dumps(message)
            sys.stdout.write((text.replace("\\n", "\n") if flaw == "breaks_lines" else text) + "\n")
        sys.stdout.flush()
    if flaw == "stays":
        asyncio.run(_stay())


async def _stay() -> None:
    await asyncio.wait([asyncio.create_task(asyncio.Event().wait())], timeout=HELD_S * 3)


if __name__ == "__main__":
    if sys.argv[1] == "http":
        asyncio.run(http())
    else:
        stdio(sys.argv[2] if len(sys.argv) > 2 else "")
