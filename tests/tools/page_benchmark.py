# SPDX-License-Identifier: MIT
"""Measures how fast the page is, and its load while idle: `make benchpage`.

Chromium opens the page of the local server, and then the static page if Pyodide is installed
(`make site`).
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware"), str(ROOT / "tests" / "host_sim")]

from page_browsers import (  # noqa: E402
    AXE,
    CHROMIUM,
    PHONE,
    SIZES,
    Visitor,
    first_turn,
    kept,
    program,
)
from playwright.sync_api import sync_playwright  # noqa: E402
from site_visits import SiteVisitor, built, served  # noqa: E402

from host_sim.app.views import lamp_css  # noqa: E402
from host_sim.app.views.lamp_css import WELL, WOOD, blend, contrast  # noqa: E402
from host_sim.board.pico.node import node  # noqa: E402
from host_sim.command_line.preflight import is_available  # noqa: E402
from roundhouse import lamp_letters  # noqa: E402

# what, from when to when, the figure, its goal, the unit
Row = tuple[str, str, float, float | None, str]
INPUTS = 60
QUIET_S, IDLE_S = 10, 20
# From a click to the frame that shows the changed hand, in ms.
SHOWN = """(selector) => new Promise((done) => {
  const hand = document.getElementById("hand");
  const began = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  });
  seen.observe(hand, { childList: true, subtree: true });
  document.querySelector(selector).click();
})"""
DRAWS = "#hand .act [data-do=button]"
TAKES_BACK = "#hand .act [data-do=back]"


def seconds_of(pid: int | str) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path("/proc/%s/stat" % pid).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def inputs(page: Page, count: int) -> list[float]:
    """Return the times in ms from a click until the page shows the click's effect. There are at
    least `count` times. The clicks are draws and their take-backs by turns."""
    found: list[float] = []
    while len(found) < count:
        for what in (DRAWS, TAKES_BACK):
            page.wait_for_selector(what)
            found.append(page.evaluate(SHOWN, what))
            page.wait_for_timeout(900)  # the lamps come to rest before the next input
    return found


def worker_seconds() -> float:
    """Return the seconds of processor time of the thread that runs the static page's Python."""
    found = 0.0
    ours = {os.getpid()}
    for path in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            if parent not in ours:
                continue
            ours.add(int(path.name))
            for task in (path / "task").iterdir():
                if (task / "comm").read_text().startswith("DedicatedWorker"):
                    found += seconds_of("%s/task/%s" % (path.name, task.name))
        except OSError:
            continue  # the process has ended
    return found


def measured_second_visit(visitor: SiteVisitor) -> Iterator[Row]:
    """Yield two rows about opening the static page again: the time until a click is answered, and
    the time until Python shows the first piece of the page."""
    visitor.page.wait_for_function("() => navigator.serviceWorker.controller")
    began = time.monotonic()
    visitor.page.reload()
    visitor.page.wait_for_selector("#head .brand", state="attached")
    python = time.monotonic() - began
    visitor.page.wait_for_selector("#head [data-do='open legend']")
    visitor.page.click("#head [data-do='open legend']")
    visitor.page.wait_for_selector("dialog[open] .legend")
    how = "opened again, from its cache; a click is answered"
    yield "static page: second visit", how, time.monotonic() - began, 2, "s"
    yield "static page: of that, Python", "until Python shows the first piece", python, 1.5, "s"
    visitor.close_dialogs()


def measured_site() -> Iterator[Row]:
    """Yield the rows of `measured` for the static page, from a plain file server."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        size = sum(built(Path(folder), node()).values()) / (1 << 20)
        yield "static page: its size", "all files of the folder", size, 20, "MiB"
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with served(folder) as server:
            visitor = SiteVisitor(browser, server.address)
            page = visitor.page
            began = time.monotonic()
            visitor.open()
            visitor.do(".foot.first .main")
            page.wait_for_selector("#table svg")
            first = time.monotonic() - began
            how = "the page is opened for the first time, Enter; the picture of a match is there"
            yield "static page: first table", how, first, 10, "s"
            page.wait_for_selector(DRAWS + ", .tile-button.fits")
            times = sorted(inputs(page, INPUTS))
            late = times[int(0.95 * len(times))]
            how = "a click; the second frame after the change"
            yield "static page: input, median", how, statistics.median(times), None, "ms"
            yield "static page: input, 95th percentile", how, late, 200, "ms"
            yield from measured_second_visit(visitor)
            time.sleep(QUIET_S)
            before = worker_seconds()
            time.sleep(IDLE_S)
            share = 100 * (worker_seconds() - before) / IDLE_S
            how = "idle from %d s on; for %d s, the thread of Python" % (QUIET_S, IDLE_S)
            yield "static page: idle", how, share, 3, "% of a core"


def browser_seconds() -> dict[int, float]:
    """Return {process: seconds of processor time} of the browser that this program started."""
    parents, names = {}, {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            pid = int(path.name)
            parents[pid] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            names[pid] = (path / "cmdline").read_text()
        except OSError:
            continue  # the process has ended
    found = {}
    for pid in names:
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid() and "chrom" in names[pid]:
            found[pid] = seconds_of(pid)
    return found


def measured_browser(browser: Browser) -> Iterator[Row]:
    """Yield these rows about the page in a browser:

    - the browser's load at rest
    - the count of elements that are too wide, too small or too pale
    - the violations that axe finds
    - the lowest contrast of a lamp
    """
    with tempfile.TemporaryDirectory() as folder:
        kept(folder, first_turn, set_=12)
        with program("play", "--folder", folder, "--at", "0") as served:
            visitor = Visitor(browser)
            visitor.page.emulate_media(reduced_motion="no-preference")
            visitor.open(served.address)
            visitor.wait(".tile-button")
            time.sleep(QUIET_S)
            before = browser_seconds()
            time.sleep(IDLE_S)
            after = browser_seconds()
            used = sum(after[pid] - before.get(pid, 0) for pid in after)
            how = "one lamp breathes, no graphics card; for %d s, all of Chromium" % IDLE_S
            yield "idle, the browser", how, 100 * used / IDLE_S, 3, "% of a core"
            flaws = []
            for width, height in (*SIZES, (844, 390)):
                visitor.page.set_viewport_size({"width": width, "height": height})
                flaws += visitor.flaws()
            how = "a match, on four sizes: too wide, text too small, contrast below 4.5"
            yield "sizes and contrast", how, len(flaws), 0, "flaws"
            if AXE.exists():
                visitor.page.evaluate(AXE.read_text(encoding="utf-8"))
                found = visitor.page.evaluate("axe.run({ resultTypes: ['violations'] })")
                yield "axe", "the same match", len(found["violations"]), 0, "violations"
            seen = [
                blend(lamp_css.colour(k, letter), lamp_css.dimmest(k, letter), WELL)
                for (k, letters, *_), *_ in lamp_letters.LETTERS
                for letter in letters
            ]
            lowest = min(contrast(colour, WOOD) for colour in seen)
            yield "lamps on wood", "the lowest contrast of a lit phase, at least 3", lowest, 3, ""


def measured() -> Iterator[Row]:
    """Yield (what is measured, how it is measured, the figure, its goal or None, the unit) for the
    local server's page."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with program("play", "--folder", folder, "--house", "puremco", "--at", "0") as served:
            began = time.monotonic()
            page = Visitor(browser).open(served.address).page
            page.wait_for_selector("#table svg")
            first = time.monotonic() - began
            yield "first table", "the page is opened; its picture is there", first, 5, "s"
            page.wait_for_selector(DRAWS)
            times = sorted(inputs(page, INPUTS))
            late = times[int(0.95 * len(times))]
            how = "a click; the second frame after the change"
            yield "input, median", how, statistics.median(times), None, "ms"
            yield "input, 95th percentile", how, late, 100, "ms"
            Visitor(browser, PHONE).open(served.address)
            time.sleep(QUIET_S)
            before = seconds_of(served.process.pid)
            time.sleep(IDLE_S)
            share = 100 * (seconds_of(served.process.pid) - before) / IDLE_S
            how = "two viewers, idle from %d s on; for %d s" % (QUIET_S, IDLE_S)
            yield "idle, the program", how, share, 3, "% of a core"
        browser.close()
        yield from measured_browser(
            playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        )


def main() -> int:
    """Print the table; return the exit status."""
    if not CHROMIUM:
        print("the page benchmark needs Chromium (on Debian: apt install chromium)")
        return 1
    print("| what | from when to when | measured | goal |\n|---|---|---|---|")
    rows = [measured, *([measured_site] if is_available("pyodide") else [])]
    for what, how, figure, goal, unit in (row for rows_of in rows for row in rows_of()):
        wanted = "" if goal is None else "%g" % goal
        print("| %s | %s | %.3g %s | %s |" % (what, how, figure, unit, wanted), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
