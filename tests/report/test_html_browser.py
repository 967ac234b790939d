"""The HTML page in a real browser: opened from disk, stepped through, without and with its script."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from checker.report.html import to_html
from tests.report.browser import Page, browser, executable
from tests.report.hats import document, richer
from tests.report.hostile import NASTY, hostile, hostile_games, long_game

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium")

NOW = "[...document.querySelectorAll('.case')].map(c => c.querySelector('.now').id).join(' ')"
SEEN = "[...document.querySelectorAll('.step')].filter(s => s.offsetHeight).length"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("pages")
    for name, result in {
        "hats": document(),
        "hostile": hostile(),
        "long": long_game(),
        "richer": richer(),
        "worst": hostile_games(),
    }.items():
        (made / f"{name}.html").write_text(to_html(result), encoding="utf-8")
    return made


@pytest.fixture(autouse=True)
def _quiet(page: Page) -> Iterator[None]:
    """Every test ends without an error on the console and without a request but for the file."""
    page.errors.clear()
    page.requests.clear()
    page.size(1280)
    yield
    assert page.errors == []
    assert {url.partition(":")[0] for url in page.requests} <= {"file", "about"}
    assert len({url.partition("#")[0] for url in page.requests if url.startswith("file:")}) == 1


def test_arrow_keys_step_to_the_violation(page: Page, folder: Path) -> None:
    page.open(folder / "hats.html")
    assert page.run(NOW) == "kennel/one_head/0 kennel/in_the_box/0"
    for _ in range(5):
        page.press("ArrowRight")
    assert page.run(NOW) == "kennel/one_head/3 kennel/in_the_box/0"
    assert page.run("location.hash") == "#kennel/one_head/3"
    assert page.run("document.querySelector('.case .now .end').checkVisibility()") is True
    page.press("ArrowLeft")
    assert page.run("document.querySelector('.case output').textContent") == "Step 2 of 3"


def test_the_slider_and_the_buttons_step_too(page: Page, folder: Path) -> None:
    page.open(folder / "hats.html")
    page.run("document.querySelector('.case input').focus()")
    page.press("End")
    assert page.run(NOW).split()[0] == "kennel/one_head/3"
    assert page.run("document.querySelector('.case [data-go=\"1\"]').disabled") is True
    page.run("document.querySelector('.case [data-go=\"-1\"]').click()")
    assert page.run(NOW).split()[0] == "kennel/one_head/2"
    said = page.run("document.querySelector('.case input').getAttribute('aria-valuetext')")
    assert said.startswith("Step 2 of 3: 2 ")


def test_the_address_of_a_step_opens_it(page: Page, folder: Path) -> None:
    page.open(folder / "hats.html", "#kennel/in_the_box/1")
    assert page.run(NOW) == "kennel/one_head/0 kennel/in_the_box/1"
    assert page.run("document.querySelectorAll('.case')[1].querySelector('.now').getBoundingClientRect().top") < 900
    page.press("ArrowLeft")
    assert page.run(NOW) == "kennel/one_head/0 kennel/in_the_box/0"


def test_a_reason_leads_to_its_step(page: Page, folder: Path) -> None:
    page.open(folder / "hats.html", "#kennel/one_head/3")
    page.run("document.querySelector('.case .now .because a').click()")
    assert page.run(NOW).split()[0] == "kennel/one_head/1"


def test_the_title_of_a_step_stands_above_its_board_where_the_page_is_narrow(page: Page, folder: Path) -> None:
    edges = "['h4', '.picture', '.told'].map(s => document.querySelector('.case .now ' + s).getBoundingClientRect())"
    for width, above in ((390, True), (1280, False)):
        page.size(width)
        page.open(folder / "hats.html", "#kennel/one_head/3")
        assert page.run(f"(([h, p, t]) => h.bottom <= p.top && p.bottom <= t.top)({edges})") is above
        assert page.run(f"(([h, p, t]) => h.left >= p.right && h.bottom <= t.top)({edges})") is not above


def test_without_script_every_step_is_there(page: Page, folder: Path) -> None:
    page.open(folder / "hats.html", script=False)
    page.call("Emulation.setScriptExecutionDisabled", value=False)
    assert page.run("document.querySelector('.player').checkVisibility()") is False
    assert page.run(SEEN) == 6


def test_printing_shows_every_step(page: Page, folder: Path) -> None:
    page.open(folder / "hats.html")
    assert page.run(SEEN) == 2
    page.call("Emulation.setEmulatedMedia", media="print")
    assert page.run(SEEN) == 6
    assert page.run("document.querySelector('.player').checkVisibility()") is False
    page.call("Emulation.setEmulatedMedia", media="")


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["hats", "hostile", "long", "richer", "worst"])
def test_nothing_is_wider_than_the_page(page: Page, folder: Path, name: str, width: int) -> None:
    page.size(width)
    page.open(folder / f"{name}.html")
    assert page.run("document.documentElement.scrollWidth") == width


def test_a_board_of_the_graph_says_its_steps(page: Page, folder: Path) -> None:
    page.open(folder / "richer.html")
    assert page.run("document.querySelector('.graph .chosen').checkVisibility()") is False
    page.run("document.querySelectorAll('.graph svg a')[1].querySelector('circle')"
             ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")  # fmt: skip
    said = page.run("document.querySelector('.graph .chosen').innerText")
    assert said.startswith("No hat is in the box and on a head. Bowler | *black* is on <i>Dog</i> (rex).")
    assert said.endswith("The game: rain → 3")
    assert page.run("[...document.querySelectorAll('.graph path')].map(p => p.classList.value)") == [
        "in", "forced out", "",
    ]  # fmt: skip


def test_without_script_a_board_of_the_graph_leads_to_its_text(page: Page, folder: Path) -> None:
    page.open(folder / "richer.html", "#graph/kennel/3", script=False)
    page.call("Emulation.setScriptExecutionDisabled", value=False)
    assert page.run("document.querySelector('.nodes li:target').checkVisibility()") is True


def test_markup_in_texts_does_nothing(page: Page, folder: Path) -> None:
    page.open(folder / "hostile.html")
    assert page.run("document.images.length + document.scripts.length") == 1
    assert page.run("document.querySelector('.case h3').textContent") == f"{NASTY}No hat is on two heads."
    page.press("ArrowRight")
    assert page.run(NOW).split()[0] == "kennel/one_head/1"


def test_markup_in_a_state_graph_does_nothing(page: Page, folder: Path) -> None:
    page.open(folder / "worst.html")
    page.run("document.querySelectorAll('.graph svg a')[3].querySelector('circle')"
             ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")  # fmt: skip
    assert page.run("document.querySelector('.graph .chosen').innerText").startswith(NASTY.strip())
    assert page.run("document.querySelectorAll('.remarks')[1].innerText").count(NASTY.strip()) == 1
    assert page.run("document.images.length + document.scripts.length") == 1


def test_a_foreign_script_would_not_run(page: Page, folder: Path) -> None:
    text = (folder / "hats.html").read_text(encoding="utf-8")
    text = text.replace("<main>", "<main><script>window.ran = 1</script>")
    (folder / "foreign.html").write_text(text, encoding="utf-8")
    page.open(folder / "foreign.html")
    assert page.run("window.ran") is None
    assert any("Content Security Policy" in error for error in page.errors)
    page.errors.clear()


def test_a_long_game_opens_and_steps_to_its_end(page: Page, folder: Path) -> None:
    """A hundred steps on a board of 16 cards; how long the page takes to open is printed (pytest -rP)."""
    seconds = min(page.open(folder / "long.html") for _ in range(3))
    print(f"a hundred steps on 16 cards: opened in {seconds:.3f} s of processor time")  # noqa: T201
    page.run("document.querySelector('.case input').focus()")
    page.press("End")
    assert page.run(NOW) == "kennel/one_head/100"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_the_page(page: Page, folder: Path, theme: str) -> None:
    """Check the contrast of ordinary and of quiet text (WCAG 2.2, 1.4.3: at least 4.5)."""
    page.theme(theme)
    page.open(folder / "hats.html")
    behind = {".case h3": ".case", ".status dt": ".case", ".quiet": "body", ".pill.known-finding": "body"}
    assert {text: _contrast(page, text, paper) >= 4.5 for text, paper in behind.items()} == dict.fromkeys(behind, True)


def _contrast(page: Page, selector: str, behind: str) -> float:
    def light(expression: str) -> float:
        numbers = page.run(f"{expression}.match(/[0-9.]+/g).slice(0, 3).map(Number)")
        parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in numbers]
        return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])

    ink = light(f"getComputedStyle(document.querySelector('{selector}')).color")
    paper = light(f"getComputedStyle(document.querySelector('{behind}')).backgroundColor")
    return (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05)
