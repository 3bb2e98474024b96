"""Proves the billing server as it is under many seeds: `python -m tests.prove.mutants.seeds`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.prove.mutants.bench import UNBROKEN, bench

__all__ = ["main"]

_AT_ONCE = 2


def main(arguments: Sequence[str]) -> int:
    """Prove it under the first seeds, and say what failed; 1 if something did."""
    parser = argparse.ArgumentParser(prog="tests.prove.mutants.seeds", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    seeds = range(1, parser.parse_args(arguments).seeds + 1)
    failed = 0
    with bench() as place, ThreadPoolExecutor(_AT_ONCE) as pool:
        proofs = [pool.submit(partial(place.proved, UNBROKEN, seed=seed)) for seed in seeds]
        for seed, proof in zip(seeds, proofs, strict=True):
            found = proof.result()
            failed += len(found["failed"])
            counts = ", ".join(f"{len(checks)} {status}" for status, checks in found.items())
            sys.stdout.write(f"seed {seed}: {counts} {' '.join(found['failed'])}\n")
            sys.stdout.flush()
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
