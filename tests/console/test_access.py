"""Getting in: links that work once, tokens, sessions that end; and what a form of another site comes to."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from fourfold.console.viewer import Viewer
from fourfold.model.caller import Caller
from tests.console.desk import ORIGIN, Desk, open_desk, operator
from tests.stages.vault import vault

COOKIE = "fourfold_console"
TENANT = "acme"


@pytest.fixture
def desk() -> Generator[Desk]:
    """The console of the vault."""
    with open_desk(vault(approval="second_person")) as opened:
        yield opened


def test_without_a_session_every_page_sends_to_the_sign_in_page(desk: Desk) -> None:
    """D5, B18: and back to where somebody wanted to go."""
    browser = desk.browser()
    seen = browser.get("/runs", tool="document_get")
    assert (seen.status, seen.location) == (303, "/sign-in?next=/runs%3Ftool%3Ddocument_get")
    assert browser.get("/").location == "/sign-in"
    assert browser.post("/approvals/plan_1", verdict="approve").location == "/sign-in"


def test_a_link_signs_in_once(desk: Desk) -> None:
    """D5: looking at it uses nothing up, its button does."""
    link = desk.console.links.new(Viewer.of_store())
    first, second = desk.browser(), desk.browser()
    assert "This link signs one person in, once." in first.get("/sign-in", link=link).words
    assert first.post("/sign-in", link=link, next="/runs").location == "/runs"
    assert first.get("/runs").status == 200

    seen = second.post("/sign-in", link=link)
    assert (seen.status, COOKIE in second.cookies) == (403, False)
    assert "This link was used, or is too old." in seen.words


def test_a_link_is_good_for_ten_minutes(desk: Desk) -> None:
    """D5: by the clock of the console."""
    early, late = desk.console.links.new(Viewer.of_store()), desk.console.links.new(Viewer.of_store())
    desk.kit.clock.advance(10 * 60 - 1)
    assert desk.browser().post("/sign-in", link=early).status == 303
    desk.kit.clock.advance(1)
    assert desk.browser().post("/sign-in", link=late).status == 403


def test_a_token_signs_in_whom_it_belongs_to(desk: Desk) -> None:
    """D5, B18: an operator to decide, a caller to look at their own tenant."""
    desk.people.known["o" * 40] = Viewer.of_operator(operator("ana@acme"))
    desk.people.known["c" * 40] = Viewer.of_caller(Caller(principal="clerk@globex", tenant="globex", name="clerk"))
    ana, clerk, nobody = desk.browser(), desk.browser(), desk.browser()

    assert ana.post("/sign-in", token="o" * 40).location == "/"
    assert "ana@acme" in ana.get("/runs").words
    assert clerk.post("/sign-in", token=f" {'c' * 40}\n").location == "/"
    assert "Tenant globex" in clerk.get("/runs").words
    seen = nobody.post("/sign-in", token="x" * 40)
    assert (seen.status, "This token is nobody's here." in seen.words, nobody.cookies) == (403, True, {})
    assert "x" * 40 not in seen.text


@pytest.mark.parametrize(
    "wanted",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/\tx",
        "",
    ],
)
def test_signing_in_leads_to_no_other_site(desk: Desk, wanted: str) -> None:
    """D5: whatever `next` says."""
    link = desk.console.links.new(Viewer.of_store())
    assert desk.browser().post("/sign-in", link=link, next=wanted).location == "/"


def test_the_cookie_is_for_this_console_alone_and_no_script_reads_it(desk: Desk) -> None:
    """D5: HttpOnly, SameSite=Strict; Secure where the console is reached by https."""
    seen = desk.browser().post("/sign-in", link=desk.console.links.new(Viewer.of_store()))
    _, *flags = seen.headers["set-cookie"].split("; ")
    assert flags == ["HttpOnly", "Path=/", "SameSite=strict"]
    with open_desk(vault(), secure=True, hosts=frozenset({"console.example"})) as public:
        seen = public.browser().post("/sign-in", link=public.console.links.new(Viewer.of_store()))
        assert "Secure" in seen.headers["set-cookie"].split("; ")


def test_a_cookie_from_before_signing_in_is_never_taken_over(desk: Desk) -> None:
    """D5: session fixation gains nothing."""
    attacker = desk.signed_in()
    planted = attacker.cookies[COOKIE]
    victim = desk.browser()
    victim.cookies[COOKIE] = planted
    victim.post("/sign-in", link=desk.console.links.new(Viewer.of_operator(operator())))

    assert victim.cookies[COOKIE] != planted
    assert attacker.get("/runs").location.startswith("/sign-in")


def test_a_session_ends_after_an_idle_hour_and_after_twelve_in_any_case(desk: Desk) -> None:
    """D5: by the clock of the console."""
    idle, busy = desk.signed_in(), desk.signed_in()
    for _ in range(12):
        desk.kit.clock.advance(3_600)
        assert busy.get("/runs").status == 200
    assert idle.get("/runs").status == 303
    desk.kit.clock.advance(1)
    assert busy.get("/runs").status == 303


def test_signing_out_ends_the_session_for_every_copy_of_the_cookie(desk: Desk) -> None:
    """D5: and a second person stays signed in."""
    browser, other = desk.signed_in(), desk.signed_in()
    copy = desk.browser()
    copy.cookies.update(browser.cookies)
    assert browser.post("/sign-out", csrf=browser.get("/runs").field("csrf")).location == "/sign-in"
    assert copy.get("/runs").status == 303
    assert other.get("/runs").status == 200


def test_a_form_needs_the_token_of_its_session_and_the_origin_of_the_console(desk: Desk) -> None:
    """D5: cross-site request forgery is stopped by each of the two, and by the cookie, which is SameSite=Strict."""
    browser, other = desk.signed_in(), desk.signed_in()
    own, foreign = browser.get("/runs").field("csrf"), other.get("/runs").field("csrf")
    for given in ("", foreign, own[:-1], "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace")):
        assert browser.post("/sign-out", csrf=given).status == 403
    for origin in ("http://evil.example", "null", "", "http://127.0.0.1:1", "file://127.0.0.1:8766"):
        assert browser.post_as("/sign-out", {"origin": origin}, csrf=own).status == 403
    assert browser.get("/runs").status == 200
    assert browser.post("/sign-out", csrf=own).status == 303


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", ""])
def test_the_console_is_reached_by_no_other_name(desk: Desk, host: str) -> None:
    """D5, MP-133: DNS rebinding finds nothing, not even the sign-in page."""
    seen = desk.browser().get("/sign-in", headers={"host": host})
    assert (seen.status, "<form" in seen.text) == (421, False)


def test_every_answer_says_that_nothing_else_may_frame_script_or_keep_it(desk: Desk) -> None:
    """D5: clickjacking, injected scripts, caches."""
    browser = desk.signed_in()
    for path in ("/runs", "/nothing", "/sign-in"):
        headers = browser.get(path).headers
        assert headers["content-security-policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        )
        told = [headers[name] for name in ("x-frame-options", "x-content-type-options", "referrer-policy")]
        assert told == ["DENY", "nosniff", "same-origin"]
        assert headers["cache-control"] == "no-store"


def test_a_form_that_is_too_large_is_not_read(desk: Desk) -> None:
    """D5: 64 KiB, and a length that is said beforehand."""
    browser = desk.signed_in()
    assert browser.post("/sign-in", token="x" * 70_000).status == 413
    assert browser.post_as("/sign-in", {"content-length": "nonsense"}, token="x").status == 413


def test_somebody_of_one_tenant_asks_for_no_other(desk: Desk) -> None:
    """D5, B18: an unknown tenant and one of others are the same."""
    browser = desk.tenant(TENANT)
    assert browser.get("/runs", tenant=TENANT).status == 200
    assert [browser.get("/runs", tenant=name).status for name in ("globex", "nowhere", "*")] == [404, 404, 404]


def test_an_operator_of_several_tenants_chooses_among_them(desk: Desk) -> None:
    """D5: the first is shown until they do."""
    browser = desk.deciding(operator("ana@acme", "globex", "acme"))
    assert "<option selected>acme</option>" in browser.get("/runs").text
    assert "<option selected>globex</option>" in browser.get("/runs", tenant="globex").text
    assert browser.get("/runs", tenant="initech").status == 404


def test_a_broken_page_says_nothing_of_what_broke(desk: Desk) -> None:
    """D5, C4: the reader gets a reference, and the log the rest."""
    object.__setattr__(desk.console, "store", None)
    seen = desk.signed_in().get("/runs")
    assert seen.status == 500
    assert "This page failed. The log has more under" in seen.words
    assert "NoneType" not in seen.text
    assert ORIGIN not in seen.text
