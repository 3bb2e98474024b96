"""Who gets in, and what other sites can make a signed-in browser do: nothing."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.console.browser.chromium import Watch
from tests.console.browser.house import Console, House, caller_token, console, sign_in, token_of
from tests.stores.records import run_at

COOKIE = "fourfold_console"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Generator[Console]:
    """A console with a run of each of two tenants."""
    house = House.furnished(tmp_path_factory.mktemp("house"))
    house.add(run_at(1), run_at(2, tenant="globex", principal="clerk@globex", subject="acct-of-globex"))
    with console(house) as up:
        yield up


@pytest.fixture
def page(watch: Watch, here: Console) -> Page:
    """A page of a browser that has never been here."""
    return watch.page(here.origin)[0]


def cookies(page: Page) -> dict[str, str]:
    """The values of the browser's cookies by name."""
    return {each["name"]: each["value"] for each in page.context.cookies() if "name" in each and "value" in each}


def heading(page: Page) -> str:
    """What the page says it is."""
    return page.get_by_role("heading", level=1).inner_text().strip()


def test_a_link_signs_one_person_in_once(tmp_path: Path, watch: Watch) -> None:
    """D5: its button uses it up; whoever finds it later in a history or a log stays outside."""
    with console(House.furnished(tmp_path)) as here:
        first, _ = watch.page(here.origin)
        first.goto(here.link)
        first.get_by_role("button", name="Sign in").click()
        first.wait_for_url(f"{here.origin}/")
        second, faults = watch.page(here.origin)
        second.goto(here.link)
        second.get_by_role("button", name="Sign in").click()

        assert heading(first) == "Now"
        assert second.get_by_role("alert").inner_text() == "This link was used, or is too old."
        assert COOKIE not in cookies(second)
        faults.expect("403 (Forbidden)")


def test_the_cookie_is_out_of_reach(page: Page, here: Console) -> None:
    """D5: no script reads it, and no other site's request carries it."""
    sign_in(page, here, token_of("ana"))

    (cookie,) = page.context.cookies()
    assert (cookie.get("name"), cookie.get("httpOnly"), cookie.get("sameSite")) == (COOKIE, True, "Strict")
    assert page.evaluate("document.cookie") == ""


def test_a_cookie_from_before_sign_in_is_replaced(page: Page, here: Console) -> None:
    """D5: whoever planted it (session fixation) is not signed in by it."""
    page.context.add_cookies([{"name": COOKIE, "value": "planted-by-somebody", "url": here.origin}])
    sign_in(page, here, token_of("ana"))

    assert cookies(page)[COOKIE] != "planted-by-somebody"


def test_signing_in_again_ends_the_session_before(watch: Watch, page: Page, here: Console) -> None:
    """D5: a cookie that was copied is worth nothing afterwards."""
    sign_in(page, here, token_of("ana"))
    copied = cookies(page)[COOKIE]
    sign_in(page, here, token_of("mel"))
    other, _ = watch.page(here.origin)
    other.context.add_cookies([{"name": COOKIE, "value": copied, "url": here.origin}])
    other.goto(f"{here.origin}/runs")

    assert other.url.startswith(f"{here.origin}/sign-in")


def test_signing_out_ends_the_session_in_the_console_too(watch: Watch, page: Page, here: Console) -> None:
    """D5: not only in the browser that leaves."""
    sign_in(page, here, token_of("ana"))
    copied = cookies(page)[COOKIE]
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{here.origin}/sign-in")
    other, _ = watch.page(here.origin)
    other.context.add_cookies([{"name": COOKIE, "value": copied, "url": here.origin}])
    other.goto(here.origin)

    assert cookies(page) == {}
    assert other.url == f"{here.origin}/sign-in"


@pytest.mark.parametrize(
    "elsewhere", ["https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)", "/\t/example.org"]
)
def test_sign_in_leads_nowhere_else(page: Page, here: Console, elsewhere: str) -> None:
    """D5: a link to the console cannot be turned into a link to another site."""
    page.goto(f"{here.origin}/sign-in")
    page.evaluate("next => { document.querySelector('[name=next]').value = next }", elsewhere)
    page.get_by_label("Your token").fill(token_of("ana"))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{here.origin}/")

    assert heading(page) == "Now"


def test_sign_in_leads_back_to_where_one_wanted_to_go(page: Page, here: Console) -> None:
    """D5: a page that was sent to a colleague opens for them."""
    page.goto(f"{here.origin}/runs?tool=quote_create")
    page.get_by_label("Your token").fill(token_of("ana"))
    page.get_by_role("button", name="Sign in").click()

    page.wait_for_url(f"{here.origin}/runs?tool=quote_create")


def test_a_wrong_token_says_nothing_about_why(watch: Watch, here: Console) -> None:
    """D5: one sentence, whoever it is not."""
    page, faults = watch.page(here.origin)
    page.goto(f"{here.origin}/sign-in")
    page.get_by_label("Your token").fill("a-token-of-nobody-0123456789abcdef")
    page.get_by_role("button", name="Sign in").click()

    assert page.get_by_role("alert").inner_text() == "This token is nobody's here."
    faults.expect("403 (Forbidden)")


@pytest.mark.parametrize("token", [None, "of-another-session"])
def test_a_form_without_the_sessions_token_changes_nothing(watch: Watch, here: Console, token: str | None) -> None:
    """D5: missing or wrong, signing out included."""
    page, faults = watch.page(here.origin)
    sign_in(page, here, token_of("ana"))
    field = page.locator("form[action$='/sign-out'] [name=csrf]")
    field.evaluate("(field, token) => token === null ? field.remove() : (field.value = token)", token)
    page.get_by_role("button", name="Sign out").click()

    assert heading(page) == "403"
    page.goto(here.origin)
    assert heading(page) == "Now"
    faults.expect("403 (Forbidden)")


@pytest.mark.parametrize("path", ["/sign-out", "/sign-in"])
def test_a_form_of_another_site_is_refused(watch: Watch, here: Console, path: str) -> None:
    """D5: nobody is signed out, or signed in as somebody else, by a page that they only looked at."""
    page, faults = watch.page(here.origin)
    sign_in(page, here, token_of("ana"))
    fields = f'<input type="hidden" name="token" value="{token_of("gus")}">'
    evil = f'<form method="post" action="{here.origin}{path}">{fields}<button>Win a prize</button></form>'
    page.context.route("http://evil.example/", lambda route: route.fulfill(body=evil, content_type="text/html"))
    page.goto("http://evil.example/")
    page.get_by_role("button", name="Win a prize").click()
    page.wait_for_url(f"{here.origin}{path}")

    assert page.locator("body").inner_text() == "a form of the console is sent from the console"
    page.goto(f"{here.origin}/runs")
    assert page.get_by_text("ana", exact=True).is_visible()
    faults.expect("request: http://evil.example/", "403 (Forbidden)")


def test_another_site_cannot_frame_the_console(watch: Watch, here: Console) -> None:
    """D5: what cannot be framed cannot be clicked unseen. The page that needs no cookie shows it best."""
    page, faults = watch.page(here.origin)
    evil = f'<iframe src="{here.origin}/sign-in"></iframe>'
    page.context.route("http://evil.example/", lambda route: route.fulfill(body=evil, content_type="text/html"))
    page.goto("http://evil.example/", wait_until="load")

    assert page.frames[1].url == "chrome-error://chromewebdata/"
    faults.expect("request: http://evil.example/")


def test_a_caller_sees_their_own_tenant_and_no_other(watch: Watch, here: Console) -> None:
    """D5, B18: not in a list, not by the address of a run, not by naming the tenant."""
    page, faults = watch.page(here.origin)
    sign_in(page, here, caller_token("clerk@acme"))
    page.goto(f"{here.origin}/runs")
    listed = page.locator("main").inner_text()
    page.goto(f"{here.origin}/runs/run-1")
    own = heading(page)
    page.goto(f"{here.origin}/runs/run-2")
    foreign = page.locator("body").inner_text()
    page.goto(f"{here.origin}/runs/run-of-nobody")
    made_up = page.locator("body").inner_text()
    page.goto(f"{here.origin}/runs?tenant=globex")

    assert ("acct-1" in listed, "acct-of-globex" in listed) == (True, False)
    assert own.startswith("quote_create")
    assert foreign == made_up
    assert heading(page) == "404"
    faults.expect("404 (Not Found)")
