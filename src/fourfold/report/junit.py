"""A proof as JUnit XML, which build servers read: a case for each check and tool."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fourfold.model.proof import FAMILIES, Proved, Verdict
from fourfold.report.proof_text import Command

__all__ = ["as_junit"]

_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 (section 2.2) has no way to write, not even as a reference."""


def as_junit(proved: Proved, *, command: Command) -> str:
    """The document: what had to be tested and was not is an `error`; what merely was not, or warns, is `skipped`."""
    root = Element("testsuites", {"name": "fourfold prove", **_counts(proved, proved.verdicts)})
    for family in FAMILIES:
        verdicts = tuple(verdict for verdict in proved.verdicts if verdict.family == family)
        if verdicts:
            suite = SubElement(root, "testsuite", {"name": family, **_counts(proved, verdicts)})
            properties = SubElement(suite, "properties")
            for name, value in (("target", proved.target), ("revision", proved.revision), ("seed", str(proved.seed))):
                SubElement(properties, "property", name=name, value=_writable(value))
            for verdict in verdicts:
                _add_case(suite, verdict, proved, command=command)
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True)


def _add_case(suite: Element, verdict: Verdict, proved: Proved, *, command: Command) -> None:
    name = verdict.tool or "the server as a whole"
    case = SubElement(suite, "testcase", classname=f"{verdict.family}.{verdict.check}", name=_writable(name))
    match verdict.status:
        case "passed":
            return
        case "warned" if not proved.warnings_count:
            SubElement(case, "skipped", message=_writable(f"warned: {verdict.detail}"))
        case "failed" | "warned":
            failure = SubElement(case, "failure", message=_writable(verdict.detail))
            failure.text = _writable("\n".join([verdict.detail, *map(command, verdict.calls)]))
        case "not_tested":
            kind = "error" if verdict in proved.against else "skipped"
            message = f"not tested: {verdict.detail}; to test it: {verdict.next_step}"
            SubElement(case, kind, message=_writable(message))


def _counts(proved: Proved, verdicts: tuple[Verdict, ...]) -> dict[str, str]:
    warned = sum(verdict.status == "warned" for verdict in verdicts)
    failures = sum(verdict.status == "failed" for verdict in verdicts) + (warned if proved.warnings_count else 0)
    untested = sum(verdict.status == "not_tested" for verdict in verdicts) + (0 if proved.warnings_count else warned)
    errors = sum(verdict.status == "not_tested" for verdict in verdicts if verdict in proved.against)
    counts = {"tests": len(verdicts), "failures": failures, "errors": errors, "skipped": untested - errors}
    return {name: str(count) for name, count in counts.items()}


def _writable(text: str) -> str:
    return _NO_XML.sub(lambda found: ascii(found[0])[1:-1], text)
