"""The explorer in a real browser: a game is played by pressing its buttons."""

import time

import pytest

from tests.explore.test_server import explorer
from tests.report.browser import Page, browser, executable

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium")


def visit(page: Page, address: str) -> None:
    """Open an address and wait until it is there."""
    page.call("Page.navigate", url=address)
    settle(page)


def settle(page: Page) -> None:
    """Wait until the page has loaded."""
    deadline = time.monotonic() + 20
    while page.run("document.readyState + location.protocol") != "completehttp:":
        assert time.monotonic() < deadline, "the page does not load"
        time.sleep(0.02)


def press(page: Page, selector: str) -> None:
    """Press a button or follow a link, and wait for the page it leads to."""
    page.run("window.before = true")
    page.run(f"document.querySelector({selector!r}).click()")
    deadline = time.monotonic() + 20
    while page.run("window.before") is not None:
        assert time.monotonic() < deadline, "nothing happens"
        time.sleep(0.02)
    settle(page)


def test_a_game_is_played_undone_and_shared() -> None:
    with explorer() as server, browser() as page:
        visit(page, server.address)
        assert page.run("document.querySelectorAll('button[name=do]').length") == 2
        press(page, "button[value='light(red)']")
        press(page, "button[value='light(blue)']")
        assert page.run("document.querySelectorAll('.end').length") == 2
        assert page.run("document.querySelector('.known').textContent") == (
            "Known finding: Nobody forbids <b>both</b> lamps. Tension L1"
        )
        assert page.run("[...document.querySelectorAll('.board text.b')].map(t => t.textContent).join()") == "on,on"
        press(page, "button[value='mend!set(fuse,dead)']")
        shared = page.run("location.href")
        assert page.run("document.querySelectorAll('button[name=do]').length") == 0
        press(page, "a[accesskey=u]")
        assert page.run("document.querySelectorAll('.history li').length") == 2
        press(page, "#why")
        assert page.run("document.querySelectorAll('.refused details').length") == 2
        visit(page, shared)
        assert page.run("document.querySelector('h2').textContent") == "Step 3: Game: mend"
        assert page.errors == []
        assert [address for address in page.requests if not address.startswith((server.address, "data:,"))] == []


def test_forms_lead_to_games() -> None:
    with explorer() as server, browser() as page:
        visit(page, server.address)
        page.run("document.querySelector('select').value = 'dead'")
        press(page, "form[action='/jump'] button")
        assert page.run("document.querySelectorAll('.history li').length") == 3
        press(page, ".go a:last-child")
        press(page, "form[action='/walk'] button")
        assert page.run("document.querySelectorAll('.history li').length") == 3
        assert page.errors == []


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_window(width: int) -> None:
    title = "A title that is so long that a list of properties would not fit a telephone. " * 2
    with explorer(title) as server, browser() as page:
        page.size(width)
        visit(page, f"{server.address}?do=light(red)&why=1")
        assert page.run("document.documentElement.scrollWidth") <= width
