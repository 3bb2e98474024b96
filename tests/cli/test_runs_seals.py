"""Tampering with the run records behind everybody's back, and how it is found; on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path

import pytest

from fourfold.adapters.sealing.keys import KeyRing
from fourfold.adapters.sealing.signer import Ed25519Signer
from fourfold.model.seal import Seal
from fourfold.runs.sealed import digest_of, seal_bytes
from tests.cli.commands import FOURFOLD, Result
from tests.cli.sealed import Attacked, key_text
from tests.postgres.cluster import Cluster

Run = Callable[..., Result]

_KEYS = key_text("k1", b"1")
_NOT_AMONG = "the run is not among those of its entry: it, or the path, was changed"
_NOT_SIGNED = "the signature is not that of key k1"
_CHANGES: tuple[tuple[tuple[str | int, ...], object, str], ...] = (
    (("run", "outcome"), "rejected", _NOT_AMONG),
    (("run", "seq"), 7, _NOT_AMONG),
    (("index",), 2, _NOT_AMONG),
    (("path", 0), "ab" * 32, _NOT_AMONG),
    (("entry", "root"), "ab" * 32, _NOT_AMONG),
    (("entry", "at_ms"), 0, _NOT_SIGNED),
    (("entry", "signature"), "ab" * 64, _NOT_SIGNED),
    (("entry", "signature"), "x", _NOT_SIGNED),
    (("entry", "kid"), "k9", "key k9 is not known here: give --head with a head that was noted under it"),
    (("entry", "after_seq"), 6, "the number of the run is outside the range of its entry"),
)
_FIELDS = tuple(field.name for field in fields(Seal))


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, run: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Attacked:
    """Twelve runs of three days, four a day, sealed in three entries."""
    monkeypatch.setenv("FOURFOLD_KEYS", _KEYS)
    cluster: Cluster | None = request.getfixturevalue("postgres") if request.param == "postgres" else None
    found = Attacked(url="sqlite:///s.db" if cluster is None else cluster.store(), run=run, cluster=cluster)
    found.store_runs(range(1, 5), range(5, 9), range(9, 13))
    assert run("runs", "seal", "--store", found.url).out.startswith("12 runs are sealed\nfourfold-head/v1 3 ")
    return found


def test_what_nobody_touched_is_clean(store: Attacked) -> None:
    """D6: exit code 0, and how much was looked at."""
    code, told = store.verify()
    said = store.run("runs", "verify", "--store", store.url)

    assert (code, told["clean"], told["runs"], told["entries"], told["findings"]) == (0, True, 12, 3, [])
    assert told["waiting"] == {"runs": 0, "oldest_ms": 0}
    assert said.out.splitlines() == [
        "12 runs held against 3 entries of the seals: nothing was changed",
        "no noted head was given: whoever has the key, or cut off the end, could have rewritten the chain",
    ]


def test_an_edited_field_is_found_and_the_run_is_named(store: Attacked) -> None:
    """D6: one character of a text, one of a number, another column in each run."""
    texts = ("outcome", "subject", "note", "tenant", "stage_us", "charges", "client", "reference")
    numbers = ("at_ms", "replayed", "tokens_in", "bytes_out")
    for seq, column in enumerate(texts, 1):
        store.sql("UPDATE fourfold_run SET {column} = {column} || 'x' WHERE seq = {seq}", column=column, seq=seq)
    for seq, column in enumerate(numbers, 9):
        store.sql("UPDATE fourfold_run SET {column} = 1 - {column} WHERE seq = {seq}", column=column, seq=seq)

    assert store.findings() == [("edited", (seq + 3) // 4, seq) for seq in range(1, 13)]
    result = store.run("runs", "verify", "--store", store.url)
    assert result.code == 1
    assert result.out.splitlines()[0] == "edited: run-1 (seq 1) is not as it was sealed [entry 1, seq 1 to 4]"
    assert result.out.splitlines()[12] == "12 runs held against 3 entries of the seals: 12 findings"


@pytest.mark.parametrize(
    ("seq", "place"),
    [
        (1, "after seq 0 and before seq 2"),
        (6, "after seq 5 and before seq 7"),
        (8, "after seq 7 and up to seq 8"),
        (12, "after seq 11 and up to seq 12"),
    ],
)
def test_a_removed_run_is_found_with_its_place(store: Attacked, seq: int, place: str) -> None:
    """D6: in the middle, and at the beginning and the end of a range and of the table."""
    store.sql("DELETE FROM fourfold_run WHERE seq = {seq}", seq=seq)

    assert store.findings() == [("removed", (seq + 3) // 4, None)]
    assert store.verify()[1]["findings"][0]["message"] == f"1 run was removed {place}"


def test_a_run_that_was_put_in_is_found(store: Attacked) -> None:
    """D6: below all others; and where one was removed, with its number."""
    store.put_in(seq=0, run_id="run-x", like=6)
    store.sql("DELETE FROM fourfold_run WHERE seq = 7")
    store.put_in(seq=7, run_id="run-y", like=6)

    assert store.findings() == [("inserted", 1, 0), ("edited", 2, 7)]
    assert store.verify()[1]["findings"][1]["run_id"] == "run-y"


def test_a_run_with_an_old_number_is_no_new_one(store: Attacked) -> None:
    """D6: a day that never was is not sealed later either."""
    store.sql("DELETE FROM fourfold_run WHERE seq IN (6, 7)")
    store.put_in(seq=6, run_id="run-x", like=5)
    store.store_runs([13], first=2)
    store.run("runs", "seal", "--store", store.url)

    assert store.findings() == [("edited", 2, 6), ("removed", 2, None)]


def test_two_runs_that_changed_places_are_found(store: Attacked) -> None:
    """D6: the number of a run is part of it."""
    for here, there in ((6, -1), (7, 6), (-1, 7)):
        store.sql("UPDATE fourfold_run SET seq = {there} WHERE seq = {here}", here=here, there=there)

    assert store.findings() == [("edited", 2, 6), ("edited", 2, 7)]


def test_the_only_runs_of_a_range_that_are_gone_are_counted(store: Attacked) -> None:
    """D6: and the others still check."""
    store.sql("DELETE FROM fourfold_run WHERE seq BETWEEN 5 AND 8")

    assert store.findings() == [("removed", 2, None)]
    assert "4 runs were removed after seq 4 and up to seq 8" in store.verify()[1]["findings"][0]["message"]


def test_a_head_that_was_changed_is_found(store: Attacked) -> None:
    """D6: its signature is over all of it; and whatever stands in the place of that is none."""
    store.sql("CREATE TABLE was AS SELECT * FROM fourfold_seal WHERE no = 3")
    for change in (
        "root = replace(root, 'a', 'b')",
        "rows = rows + 1",
        "to_seq = to_seq + 1",
        "day_ms = 0",
        "at_ms = at_ms + 1",
        "signature = ''",
        "signature = 'zz'",
        "signature = replace(signature, '1', '2')",
    ):
        store.sql("UPDATE fourfold_seal SET {change} WHERE no = 3", change=change)
        assert store.findings() == [("signature", 3, None)], change
        store.sql("DELETE FROM fourfold_seal WHERE no = 3", "INSERT INTO fourfold_seal SELECT * FROM was")
    assert store.findings() == []


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_a_value_of_another_kind_is_found_and_breaks_nothing(store: Attacked) -> None:
    """D6: SQLite takes any; what cannot be read cannot be held against anything, and is told."""
    store.sql("UPDATE fourfold_run SET note = CAST(x'ff' AS TEXT) WHERE seq = 2")
    assert store.findings() == [("changed", 1, None)]

    store.sql(
        "UPDATE fourfold_run SET note = x'00' WHERE seq = 2", "UPDATE fourfold_run SET bytes_in = 1.5 WHERE seq = 6"
    )
    assert store.findings() == [("edited", 1, 2), ("edited", 2, 6)]

    store.sql("UPDATE fourfold_seal SET to_seq = 'x', kid = x'00', signature = x'ff' WHERE no = 3")
    assert {each[:2] for each in store.findings()} >= {("signature", 3), ("edited", 1), ("edited", 2)}
    store.sql("DELETE FROM fourfold_seal WHERE no = 2")
    assert {each[:2] for each in store.findings()} >= {("signature", 3), ("chain", None), ("edited", 1)}


def test_an_older_entry_that_was_changed_breaks_the_chain_too(store: Attacked) -> None:
    """D6: the entry after it names another one."""
    store.sql("UPDATE fourfold_seal SET at_ms = at_ms + 1 WHERE no = 2")

    assert {each[:2] for each in store.findings()} == {("signature", 2), ("chain", 2)}


def test_a_seal_under_another_key_of_the_same_name_is_found(store: Attacked) -> None:
    """D6: whoever cannot sign cannot seal what they changed."""
    store.sql("UPDATE fourfold_run SET note = 'x' WHERE seq = 12", "DELETE FROM fourfold_seal WHERE no = 3")
    forged = Ed25519Signer(KeyRing.of(("k1", b"9" * 32)))
    store.run("runs", "seal", "--store", store.url)
    (row,) = store.sql("SELECT {names} FROM fourfold_seal WHERE no = 3", names=", ".join(_FIELDS))
    signature = forged.sign(seal_bytes(Seal(**dict(zip(_FIELDS, row, strict=True))))).hex()
    store.sql("UPDATE fourfold_seal SET signature = '{made}' WHERE no = 3", made=signature)

    assert store.findings() == [("signature", 3, None)]


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ("2", "entry 2 is missing: nothing vouches for the runs of seq 5 to 8"),
        ("1, 2", "the entries before 3 are missing: nothing vouches for the runs up to seq 8"),
    ],
)
def test_an_entry_that_is_missing_is_found(store: Attacked, numbers: str, message: str) -> None:
    """D6: and which runs it vouched for."""
    store.sql("DELETE FROM fourfold_seal WHERE no IN ({numbers})", numbers=numbers)

    assert store.findings() == [("chain", None, None)]
    assert store.verify()[1]["findings"][0]["message"] == message


def test_a_chain_that_was_cut_off_is_found_by_a_noted_head(store: Attacked, tmp_path: Path) -> None:
    """D6: without one, its runs look as if they were not sealed yet, and that is said."""
    noted = store.noted(tmp_path / "heads.txt")
    store.sql("DELETE FROM fourfold_seal WHERE no = 3", "UPDATE fourfold_run SET note = 'x' WHERE seq = 12")

    assert store.verify()[1]["waiting"]["runs"] == 4
    assert store.findings() == []
    assert store.findings(*noted) == [("head", None, None)]
    store.run("runs", "seal", "--store", store.url)
    assert store.findings() == []
    assert store.findings(*noted) == [("head", 3, None)]


def test_a_chain_that_was_rewritten_with_the_key_is_found_by_a_noted_head(store: Attacked, tmp_path: Path) -> None:
    """D6: in whatever the head was noted, a log among other lines."""
    noted = store.noted(tmp_path / "server.log")
    log = tmp_path / "server.log"
    log.write_text(f"2026-11-30 started\n12 runs are sealed: {log.read_text('utf-8')}2026-11-30 ended\n", "utf-8")
    assert (store.findings(*noted), store.verify(*noted)[1]["noted"]) == ([], 1)
    store.sql("DELETE FROM fourfold_seal", "DELETE FROM fourfold_seal_leaves", "DELETE FROM fourfold_run WHERE seq = 6")
    store.run("runs", "seal", "--store", store.url)

    assert store.findings() == []
    assert store.findings(*noted) == [("head", 3, None)]


def test_a_head_that_somebody_got_into_a_log_vouches_for_nothing(store: Attacked, tmp_path: Path) -> None:
    """D6: where the keys of the store are, no other key counts."""
    store.sql("DELETE FROM fourfold_seal", "DELETE FROM fourfold_seal_leaves", "DELETE FROM fourfold_run WHERE seq = 6")
    with pytest.MonkeyPatch.context() as other:
        other.setenv("FOURFOLD_KEYS", key_text("evil", b"9"))
        store.run("runs", "seal", "--store", store.url)
        noted = store.noted(tmp_path / "server.log")

    assert store.findings(*noted) == [("key", 3, None)]


def test_a_whole_chain_that_is_gone_is_found_by_a_noted_head(store: Attacked, tmp_path: Path) -> None:
    """D6: an empty chain vouches for nothing."""
    noted = store.noted(tmp_path / "heads.txt")
    store.sql("DELETE FROM fourfold_seal", "DELETE FROM fourfold_seal_leaves")

    assert store.findings(*noted) == [("head", None, None)]


def test_hashes_that_were_changed_cost_the_name_of_the_run_and_no_more(store: Attacked) -> None:
    """D6: they lead to the signed root, or they are not believed."""
    store.sql("UPDATE fourfold_seal_leaves SET leaves = (SELECT leaves FROM fourfold_seal_leaves WHERE no = 1)")
    assert store.findings() == [("hashes", 2, None), ("hashes", 3, None)]

    store.sql("UPDATE fourfold_run SET note = 'x' WHERE seq = 6", "DELETE FROM fourfold_seal_leaves WHERE no = 3")
    assert store.findings() == [("changed", 2, None), ("hashes", 3, None)]


def test_runs_that_are_not_sealed_yet_are_counted(store: Attacked) -> None:
    """D6: nothing is known of them."""
    store.store_runs([13, 14], first=2)

    code, told = store.verify()
    said = store.run("runs", "verify", "--store", store.url).out

    assert (code, told["runs"], told["waiting"]) == (0, 12, {"runs": 2, "oldest_ms": 1_700_172_813_000})
    store.sql("UPDATE fourfold_run SET at_ms = -4000000000000000 WHERE seq = 13")
    odd = store.run("runs", "verify", "--store", store.url)
    assert (odd.code, "the oldest from -4000000000000000 ms\n" in odd.out) == (0, True)
    assert "not sealed yet, so that nothing is known of them: 2 runs, the oldest from 2023-11-16 22:13:33Z\n" in said


def test_only_what_was_sealed_lately_is_looked_at(store: Attacked) -> None:
    """D6: the chain is checked whole in any case."""
    store.sql("UPDATE fourfold_run SET note = 'x' WHERE seq = 6")

    assert store.findings("--since", "1h") == [("edited", 2, 6)]
    assert store.findings("--since", "2999-01-01") == []
    assert store.verify("--since", "2999-01-01")[1]["skipped"] == 12
    store.sql("UPDATE fourfold_seal SET at_ms = 0 WHERE no = 2")
    assert {each[0] for each in store.findings("--since", "2999-01-01")} == {"signature", "chain"}


def test_dropped_runs_are_told_from_removed_ones(store: Attacked) -> None:
    """D6: pruned, as recorded; a day that went by hand is found, and so is one that came back."""
    assert store.run("runs", "prune", "--before", "2023-11-15", "--store", store.url).out.startswith(
        "4 runs are dropped"
    )
    code, told = store.verify()
    assert (code, told["runs"], told["pruned"], told["entries"]) == (0, 8, 4, 4)
    assert "pruned, as recorded: 4 runs\n" in store.run("runs", "verify", "--store", store.url).out
    assert store.run("runs", "rebuild", "--store", store.url).code == 0

    store.put_in(seq=2, run_id="run-x", like=6)
    store.sql("DELETE FROM fourfold_run WHERE seq = 6", "UPDATE fourfold_run SET at_ms = 0 WHERE seq = 2")
    assert store.findings() == [("left", 1, None), ("removed", 2, None)]
    store.run("runs", "prune", "--before", "2023-11-15", "--store", store.url)
    assert store.findings() == [("removed", 2, None)]


def test_a_prune_that_somebody_made_up_is_found(store: Attacked) -> None:
    """D6: dropping is recorded under the key."""
    store.sql(
        "DELETE FROM fourfold_run WHERE seq <= 4",
        "INSERT INTO fourfold_seal"
        " (no, kind, previous, after_seq, to_seq, rows, root, form, day_ms, at_ms, kid, signature)"
        " SELECT 4, 'prune', previous, to_seq, to_seq, 0, '', form, day_ms, at_ms, kid, signature"
        " FROM fourfold_seal WHERE no = 3",
    )

    assert {each[:2] for each in store.findings()} == {("signature", 4), ("chain", 3), ("removed", 1)}


def test_nothing_is_sealed_behind_an_entry_that_somebody_else_made(store: Attacked) -> None:
    """D6: it would be vouched for by the next one, and with it whatever it says was dropped."""
    (row,) = store.sql("SELECT {names} FROM fourfold_seal WHERE no = 3", names=", ".join(_FIELDS))
    head = Seal(**dict(zip(_FIELDS, row, strict=True)))
    made_up = replace(head, no=4, kind="prune", previous=digest_of(head), after_seq=12, rows=0, root="", kid="k0")
    values = [*asdict(made_up).values(), Ed25519Signer(KeyRing.of(("k0", b"9" * 32))).sign(seal_bytes(made_up)).hex()]
    store.sql(
        "DELETE FROM fourfold_run WHERE seq <= 4",
        "INSERT INTO fourfold_seal ({names}, signature) VALUES ({values})",
        names=", ".join(_FIELDS),
        values=", ".join(repr(value) for value in values),
    )
    store.store_runs([13], first=2)
    results = [store.run("runs", *words, "--store", store.url) for words in (["seal"], ["prune", "--before", "1d"])]

    assert [result.code for result in results] == [3, 3]
    assert all("entry 4 of the seals is not signed with a key of this ring (k0)" in result.err for result in results)
    assert store.findings() == [("removed", 1, None), ("key", 4, None)]


def test_sealed_runs_are_not_dropped_by_whoever_has_no_key(store: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    """D6: exit code 2, and nothing went."""
    monkeypatch.delenv("FOURFOLD_KEYS")
    result = store.run("runs", "prune", "--before", "2023-11-16", "--store", store.url)

    assert (result.code, store.sql("SELECT count(*) FROM fourfold_run")) == (2, [(12,)])
    assert "these runs are sealed, so dropping them is recorded under the key, which is not here" in result.err


def test_a_rotated_key_goes_on_with_the_chain(store: Attacked, monkeypatch: pytest.MonkeyPatch) -> None:
    """D6, B10: an old key may leave the ring once the new one has signed; before that, nothing vouches."""
    monkeypatch.setenv("FOURFOLD_KEYS", key_text("k2", b"2"))
    assert store.findings() == [("key", 3, None)]
    store.store_runs([13], first=2)
    assert store.run("runs", "seal", "--store", store.url).code == 3

    monkeypatch.setenv("FOURFOLD_KEYS", f"{key_text('k2', b'2')},{_KEYS}")
    store.run("runs", "seal", "--store", store.url)
    assert store.sql("SELECT kid FROM fourfold_seal ORDER BY no") == [("k1",), ("k1",), ("k1",), ("k2",)]
    assert store.findings() == []

    monkeypatch.setenv("FOURFOLD_KEYS", key_text("k2", b"2"))
    assert store.findings() == []
    store.sql("UPDATE fourfold_seal SET root = replace(root, 'a', 'b') WHERE no = 2")
    assert ("chain", 2, None) in store.findings()


def test_whoever_has_no_key_checks_with_a_head(
    store: Attacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D6: an auditor; with neither, the answer is that there is none."""
    noted = store.noted(tmp_path / "heads.txt")
    monkeypatch.delenv("FOURFOLD_KEYS")
    assert store.findings(*noted) == []
    store.sql("UPDATE fourfold_run SET note = 'x' WHERE seq = 6")
    assert store.findings(*noted) == [("edited", 2, 6)]

    for words in (["verify"], ["seal"], ["head"], ["proof", "run-6"]):
        result = store.run("runs", *words, "--store", store.url)
        assert (result.code, result.out) == (2, ""), words
        assert "keys" in result.err


def test_servers_and_commands_that_seal_at_once_leave_one_chain(store: Attacked) -> None:
    """D6: processes of their own; who comes second goes on behind the first."""
    store.store_runs(range(100, 160), first=2)
    command = [FOURFOLD, "runs", "seal", "--store", store.url]
    every = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    sealed = [int(each.communicate(timeout=120)[0].split()[0]) for each in every]

    assert sorted(sealed) == [0, 60]
    code, told = store.verify()
    assert (code, told["runs"], told["waiting"]["runs"]) == (0, 72, 0)


def test_a_proof_is_checked_without_the_store(store: Attacked, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D6: in another place, by somebody who has a head and no key."""
    noted = store.noted(tmp_path / "heads.txt")
    proof = tmp_path / "proof.json"
    proof.write_text(store.run("runs", "proof", "run-6", "--json", "--store", store.url).out, "utf-8")
    monkeypatch.delenv("FOURFOLD_KEYS")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    result = store.run("runs", "verify", "--proof", str(proof), *noted)

    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("the proof holds: run-6 is in entry 2 (seq 5 to 8), sealed ")
    assert store.run("runs", "verify", "--proof", str(proof)).code == 2


def test_a_proof_with_one_thing_changed_does_not_hold(store: Attacked, tmp_path: Path) -> None:
    """D6: exit code 1, and why."""
    text = store.run("runs", "proof", "run-6", "--json", "--store", store.url).out
    for path, value, reason in _CHANGES:
        told = json.loads(text)
        place = told
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        result = _checked(store, tmp_path, json.dumps(told))
        assert (result.code, result.out) == (1, f"the proof does not hold: {reason}\n"), path


def test_what_is_no_proof_is_said_to_be_none(store: Attacked, tmp_path: Path) -> None:
    """D6: it comes from somebody else."""
    told = json.loads(store.run("runs", "proof", "run-6", "--json", "--store", store.url).out)
    told["run"]["more"] = "x"
    wrong = ["", "[]", "{}", '{"run": 1, "entry": 2}', "[" * 100_000, '{"entry": {"no": "1"}}', json.dumps(told)]
    for text in wrong:
        result = _checked(store, tmp_path, text)
        assert result.code == 2, text[:40]
        assert "is no " in result.err


def test_a_run_without_a_proof_says_why(store: Attacked) -> None:
    """D6: not there, not sealed yet, changed."""
    store.store_runs([13], first=2)
    store.sql("UPDATE fourfold_run SET note = 'x' WHERE seq = 6")

    results = [
        store.run("runs", "proof", name, "--store", store.url) for name in ("run-99", "run-13", "run-6", "run-5")
    ]

    assert [result.code for result in results] == [2, 2, 2, 0]
    assert "no run is 'run-99' in this store" in results[0].err
    assert "run-13 is not sealed yet" in results[1].err
    assert "run-6 is not as it was sealed" in results[2].err
    assert results[3].out.startswith("run-5 is in entry 2 (seq 5 to 8)")
    assert results[3].out.endswith("its signature holds\n")


def _checked(store: Attacked, folder: Path, text: str) -> Result:
    """What is said of a proof of that text."""
    (folder / "proof.json").write_text(text, "utf-8")
    return store.run("runs", "verify", "--proof", str(folder / "proof.json"), "--store", store.url)
