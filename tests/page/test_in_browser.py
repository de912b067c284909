"""The page in Chromium: it runs without an error, asks nobody, fits three widths, and can be used."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

WIDTHS = (390, 820, 1400)
# A4 between its margins, in CSS pixels.
PAPER = 703
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")


@pytest.fixture
def opened(browser, page_file):
    """Open the page at a width: the tab, and what it complained of or asked for."""
    contexts = []

    def at(width, **options):
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page, faults = context.new_page(), []
        page.on("console", lambda said: faults.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda asked: faults.append(asked.url) if outside(asked.url) else None)
        page.goto(page_file.as_uri())
        return page, faults

    def outside(url):
        return not url.startswith("data:") and url.split("#")[0] != page_file.as_uri()

    yield at
    for context in contexts:
        context.close()


def draw_all(page):
    """Open what is folded and wait until every chart is drawn."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for number in range(page.locator(".chart").count()):
        page.evaluate("n => document.querySelectorAll('.chart')[n].scrollIntoView()", number)
        page.wait_for_function(
            "n => document.querySelectorAll('.chart')[n].querySelector('svg')", arg=number
        )
    assert page.locator("figure.live").count() > 0


@pytest.mark.parametrize("width", WIDTHS)
def test_no_error_no_request_no_overflow(opened, width):
    page, faults = opened(width)
    draw_all(page)
    assert faults == []
    beyond = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .filter(one => !one.closest(".scroll, .frame, .panels > div, pre, .skip, .hidden"))
            .map(one => one.outerHTML.slice(0, 120))"""
    )
    assert beyond == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_stands_in_the_way_of_anyone(opened, width):
    # axe is a script from elsewhere, which the page's own policy refuses.
    page, _ = opened(width, bypass_csp=True)
    draw_all(page)
    page.add_script_tag(path=AXE)
    found = page.evaluate("levels => axe.run(document, {runOnly: levels})", LEVELS)
    told = [f"{v['id']}: {n['html'][:150]}" for v in found["violations"] for n in v["nodes"]]
    assert told == []
    assert len(found["passes"]) > 10


def test_the_policy_refuses_other_scripts(opened):
    page, faults = opened(1400)
    page.evaluate(
        "const one = document.createElement('script'); one.textContent = 'window.bad = 1';"
        "document.body.append(one)"
    )
    assert page.evaluate("window.bad") is None
    assert any("Content Security Policy" in fault for fault in faults)


def test_claims_can_be_filtered_and_searched(opened):
    page, _ = opened(1400)
    claims, form = page.locator(".claim"), page.locator("#claim-filters")
    assert page.locator(".claims[open]").count() == 0
    for name in ("paper", "verdict", "kind", "dataset"):
        value = form.locator(f"select[name={name}] option").nth(1).inner_text()
        form.locator(f"select[name={name}]").select_option(value)
        shown = page.locator(".claim:not([hidden])")
        assert 0 < shown.count() < claims.count(), name
        for number in range(shown.count()):
            assert value in shown.nth(number).get_attribute(f"data-{name}").split("|")
        form.locator("button").click()
        expect(page.locator(".claim[hidden]")).to_have_count(0)
    form.locator("input").fill("lim-05")
    assert page.locator(".claim:not([hidden])").evaluate_all("all => all.map(one => one.id)") == [
        "lim-05"
    ]
    assert "1 of" in form.locator("output").inner_text()


def test_charts_can_be_filtered_and_hovered(opened):
    page, _ = opened(1400)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    chart = page.locator(".chart:has(legend)").first
    draw_all(page)
    dots = chart.locator("g.mark-symbol path")
    before = dots.count()
    chart.locator("input").first.uncheck()
    page.wait_for_function(
        "([n]) => document.querySelector('.chart').querySelectorAll('g.mark-symbol path').length < n",
        arg=[before],
    )
    dots.first.scroll_into_view_if_needed()
    dots.first.hover(force=True)
    assert page.locator("#tip").inner_text().strip()


def test_words_are_explained_on_hover_and_focus(opened):
    page, _ = opened(1400)
    term, tip = page.locator("main a.term").first, page.locator("#tip")
    assert tip.is_hidden()
    term.focus()
    assert len(tip.inner_text()) > len(term.inner_text())
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    term.hover()
    assert tip.is_visible()
    dead = page.evaluate(
        """() => [...document.querySelectorAll('a[href^="#"]')].map(one => one.getAttribute("href"))
            .filter(link => !document.getElementById(link.slice(1)))"""
    )
    assert dead == []


def test_prints_with_claims_and_still_pictures(opened, tmp_path):
    page, _ = opened(1400)
    draw_all(page)
    page.reload()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".claim ul").first.is_visible()
    assert page.locator(".still img").first.is_visible()
    assert page.locator("nav").is_hidden()
    page.set_viewport_size({"width": PAPER, "height": 900})
    cut = page.evaluate(
        """() => [...document.querySelectorAll("table, .still img")]
            .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .map(one => one.textContent.slice(0, 80) || one.alt)"""
    )
    assert cut == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".claims[open]").count() == 0


def test_works_without_scripts(opened):
    page, _ = opened(1400, java_script_enabled=False)
    assert page.locator(".still img").first.is_visible()
    assert page.locator("details.claims").count() > 0
    assert page.locator("#claim-filters").is_hidden()


def test_size(page_file):
    assert page_file.stat().st_size < 10e6
