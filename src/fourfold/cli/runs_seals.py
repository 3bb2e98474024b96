"""`fourfold runs seal`, `head`, `verify` and `proof`: whether the run records are those that were stored."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from fourfold.adapters.clock import SystemClock
from fourfold.adapters.sql.unit import no_subject
from fourfold.bootstrap.service import ServedStore
from fourfold.bootstrap.signing import signer_of, verifier_of
from fourfold.cli.context import config_option, find_store, store_option
from fourfold.cli.filters import time_option
from fourfold.cli.flags import StrictCommand
from fourfold.cli.output import json_option, plain, print_json, when
from fourfold.cli.sums import of_store, place_options
from fourfold.errors import ConfigError
from fourfold.model.seal import Head
from fourfold.ports.seals import Seals
from fourfold.ports.units import Unit
from fourfold.runs.inclusion import Proof, SealState, facts_of_proof, proof_in, seal_of, why_not
from fourfold.runs.sealed import head_line, head_of, heads_in
from fourfold.runs.sealing import seal_all
from fourfold.runs.tampering import Tampering
from fourfold.runs.verifying import Verified, verify

__all__ = ["head", "proof", "seal", "verify_runs"]

A = TypeVar("A")

_NO_PROOF: dict[SealState, str] = {
    "absent": "no run is {run_id!r} in this store",
    "changed": "{run_id} is not as it was sealed, or its seal is not: `fourfold runs verify` says more",
    "waiting": "{run_id} is not sealed yet; a server seals about once a minute, `fourfold runs seal` does it now",
}


@click.command("seal", cls=StrictCommand, short_help="Seal the runs that are not sealed yet.")
@place_options
def seal(store: str, *, as_json: bool) -> None:
    """Seal the runs that are not sealed yet, as a server does about once a minute. Needs the keys of the store.

    \b
    Example
      fourfold runs seal
    """
    signer = signer_of(store)

    async def work(opened: ServedStore) -> int:
        return await seal_all(opened, clock=SystemClock(), signer=signer)

    sealed = of_store(store, work)
    newest = _newest(store)
    if as_json:
        print_json("runs-seal/v1", {"runs": sealed, "head": _line(newest)})
        return
    click.echo(f"{sealed:,} runs are sealed")
    if newest is not None:
        click.echo(head_line(newest))


@click.command("head", cls=StrictCommand, short_help="The head of the seals, to be noted elsewhere.")
@place_options
def head(store: str, *, as_json: bool) -> None:
    """The newest entry of the seals in one line. Whoever noted it finds out if what is before it is rewritten.

    \b
    Examples
      fourfold runs head >> heads.txt
      fourfold runs verify --head heads.txt
    """
    newest = _newest(store)
    if newest is None:
        raise ConfigError("no run of this store is sealed yet, or the key of its newest seal is not here")
    if as_json:
        print_json("runs-head/v1", {"no": newest.no, "digest": newest.digest, "head": head_line(newest)})
        return
    click.echo(head_line(newest))


@click.command("verify", cls=StrictCommand, short_help="Find runs that were edited, removed or put in.")
@time_option("--since", "since_ms", about="Hold only runs against their seals that were sealed from then on: 24h.")
@click.option(
    "--head",
    "noted",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with heads that were noted earlier, such as the log of a server; may be repeated.",
)
@click.option(
    "--proof",
    "proof_path",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Check this proof of one run, and no store.",
)
@store_option
@json_option
@config_option
def verify_runs(
    store_url: str | None,
    config_path: Path | None,
    *,
    since_ms: int | None,
    noted: Sequence[Path],
    proof_path: Path | None,
    as_json: bool,
) -> None:
    """Hold the runs against their seals: find any that was edited, removed or put in, and say which, or which range.

    Exit code 1 if there are findings. Runs that are not sealed yet are counted, and nothing is known of them. Checks
    with the keys of the store; without them, with the keys that heads were noted with.

    \b
    Examples
      fourfold runs verify
      fourfold runs verify --since 24h --json
      fourfold runs verify --head heads.txt
      fourfold runs verify --proof run.json --head heads.txt
    """
    heads = [found for path in noted for found in _heads_of(path)]
    if proof_path is not None:
        if since_ms is not None:
            raise click.UsageError("--since restricts a look at a store, and --proof looks at none")
        store = None if heads and store_url is None else find_store(store_url, config_path)
        _check_proof(proof_path, heads, store=store, as_json=as_json)
        return
    store = find_store(store_url, config_path)
    verifier = verifier_of(store, heads)
    verified = _ask(store, lambda seals, unit: verify(unit, seals, verifier=verifier, noted=heads, since_ms=since_ms))
    _show(verified, as_json=as_json)
    if verified.found:
        raise SystemExit(1)


@click.command("proof", cls=StrictCommand, short_help="The proof that one run was sealed.")
@click.argument("run_id", metavar="RUN")
@place_options
def proof(store: str, run_id: str, *, as_json: bool) -> None:
    """Say which entry of the seals a run is in; with --json print the proof, which is checked without the store.

    \b
    Examples
      fourfold runs proof run_01a22a5902f77b1187acef124703b65e --json > run.json
      fourfold runs verify --proof run.json --head heads.txt
    """
    verifier = verifier_of(store)
    found = _ask(store, lambda seals, unit: seal_of(unit, seals, run_id=run_id, verifier=verifier))
    if found.proof is None:
        raise ConfigError(_NO_PROOF[found.state].format(run_id=run_id))
    if as_json:
        print_json("runs-proof/v1", facts_of_proof(found.proof))
        return
    checked = (
        "its signature holds" if found.state == "sealed" else "its key is not here, so its signature was not checked"
    )
    click.echo(f"{_sealed_in(found.proof)}; {checked}")


def _heads_of(path: Path) -> list[Head]:
    found = heads_in(path.read_text("utf-8", "replace"))
    if not found:
        raise ConfigError(f"{path} has no head in it; `fourfold runs head` prints one")
    return found


def _check_proof(path: Path, heads: Sequence[Head], *, store: str | None, as_json: bool) -> None:
    try:
        read = proof_in(json.loads(path.read_text("utf-8")))
    except (ValueError, RecursionError):
        raise ConfigError(f"{path} is no JSON") from None
    reason = why_not(read, verifier=verifier_of(store, heads), noted=heads)
    if as_json:
        facts = {"run_id": read.row["run_id"], "no": read.entry.seal.no, "holds": not reason, "reason": reason}
        print_json("runs-proof-check/v1", facts)
    else:
        click.echo(plain(f"the proof does not hold: {reason}" if reason else f"the proof holds: {_sealed_in(read)}"))
    if reason:
        raise SystemExit(1)


def _show(verified: Verified, *, as_json: bool) -> None:
    if as_json:
        print_json("runs-verify/v1", _facts(verified))
        return
    for each in verified.findings:
        place = "" if each.no is None else f" [entry {each.no}, seq {(each.after_seq or 0) + 1} to {each.to_seq}]"
        click.echo(plain(f"{each.kind}: {each.message}{place}"))
    if verified.found > len(verified.findings):
        click.echo(f"and {verified.found - len(verified.findings):,} more")
    entries, found = _many(verified.entries, "entry", "entries"), _many(verified.found, "finding", "findings")
    looked_at = f"{_many(verified.runs, 'run', 'runs')} held against {entries} of the seals"
    click.echo(f"{looked_at}: {found if verified.found else 'nothing was changed'}")
    if verified.pruned:
        click.echo(f"pruned, as recorded: {_many(verified.pruned, 'run', 'runs')}")
    if verified.skipped:
        click.echo(f"sealed before that, and not looked at: {_many(verified.skipped, 'run', 'runs')}")
    if verified.waiting.runs:
        waiting, oldest = _many(verified.waiting.runs, "run", "runs"), when(verified.waiting.oldest_ms)
        click.echo(f"not sealed yet, so that nothing is known of them: {waiting}, the oldest from {oldest}")
    if verified.noted:
        click.echo(f"noted heads that are in the chain: {verified.noted:,}")
    elif verified.entries and not verified.found:
        click.echo("no noted head was given: whoever has the key, or cut off the end, could have rewritten the chain")


def _facts(verified: Verified) -> dict[str, object]:
    return {
        "clean": not verified.found,
        "entries": verified.entries,
        "runs": verified.runs,
        "pruned": verified.pruned,
        "skipped": verified.skipped,
        "waiting": {"runs": verified.waiting.runs, "oldest_ms": verified.waiting.oldest_ms},
        "noted": verified.noted,
        "head": _line(verified.head),
        "found": verified.found,
        "findings": [_finding(each) for each in verified.findings],
    }


def _finding(each: Tampering) -> dict[str, object]:
    return {
        "kind": each.kind,
        "message": each.message,
        "entry": each.no,
        "after_seq": each.after_seq,
        "to_seq": each.to_seq,
        "seq": each.seq,
        "run_id": each.run_id,
    }


def _many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _sealed_in(proof: Proof) -> str:
    sealed = proof.entry.seal
    span = f"seq {sealed.after_seq + 1} to {sealed.to_seq}"
    return f"{proof.row['run_id']} is in entry {sealed.no} ({span}), sealed {when(sealed.at_ms)} with key {sealed.kid}"


def _newest(store: str) -> Head | None:
    verifier = verifier_of(store)
    entry = _ask(store, lambda seals, unit: seals.newest(unit))
    return None if entry is None else head_of(entry, verifier)


def _line(head: Head | None) -> str | None:
    return None if head is None else head_line(head)


def _ask(store: str, question: Callable[[Seals, Unit], A]) -> A:
    """What the seals of `store` answer, in one snapshot."""

    async def ask(opened: ServedStore) -> A:
        return await opened.units.read(
            lambda unit: question(opened.seals, unit), deadline=float("inf"), subject=no_subject
        )

    return of_store(store, ask)
