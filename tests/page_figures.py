# SPDX-License-Identifier: MIT
"""How fast the page is, and what it costs while nobody acts: `make benchpage`.

A real browser shows the table of a program that plays, and then the static page, where there is
Pyodide (`make site`). Each row says from when to when.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "firmware"), str(ROOT / "tests" / "host_sim")]

from page_browsers import CHROMIUM, PHONE, Visitor, program  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from site_visits import SiteVisitor, built, served  # noqa: E402

from host_sim.preflight import is_there  # noqa: E402

INPUTS = 60
QUIET_S, IDLE_S = 10, 20
# From a click to the frame in which the table is another one, in ms.
SHOWN = """(selector) => new Promise((done) => {
  const table = document.getElementById("table");
  const began = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  });
  seen.observe(table, { childList: true, subtree: true });
  document.querySelector(selector).click();
})"""
DRAWS = "#hand .act [data-do=button]"
TAKES_BACK = "#hand .act [data-do=back]"


def seconds_of(pid):
    """Return the processor's seconds that a process has had."""
    fields = Path("/proc/%s/stat" % pid).read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def inputs(page, count):
    """Return the ms from so many clicks to what they show: a draw, and taken back again."""
    found = []
    while len(found) < count:
        for what in (DRAWS, TAKES_BACK):
            page.wait_for_selector(what)
            found.append(page.evaluate(SHOWN, what))
            page.wait_for_timeout(900)  # the lamps come to rest before the next input
    return found


def worker_seconds():
    """Return the processor's seconds of the thread in which the static page's Python runs."""
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
            continue  # it has ended meanwhile
    return found


def measured_site():
    """Yield the same of the static page: from a plain file server, Python in the browser."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        size = sum(built(Path(folder)).values()) / (1 << 20)
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
            how = "a click; the second frame behind the change"
            yield "static page: input, median", how, statistics.median(times), None, "ms"
            yield "static page: input, 95th percentile", how, late, 200, "ms"
            time.sleep(QUIET_S)
            before = worker_seconds()
            time.sleep(IDLE_S)
            share = 100 * (worker_seconds() - before) / IDLE_S
            how = "nobody acts from %d s on; for %d s, the thread of Python" % (QUIET_S, IDLE_S)
            yield "static page: idle", how, share, 3, "% of a core"


def measured():
    """Yield (what, from when to when, the figure, its goal)."""
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
            how = "a click; the second frame behind the change"
            yield "input, median", how, statistics.median(times), None, "ms"
            yield "input, 95th percentile", how, late, 100, "ms"
            Visitor(browser, PHONE).open(served.address)
            time.sleep(QUIET_S)
            before = seconds_of(served.process.pid)
            time.sleep(IDLE_S)
            share = 100 * (seconds_of(served.process.pid) - before) / IDLE_S
            how = "two viewers, nobody acts from %d s on; for %d s" % (QUIET_S, IDLE_S)
            yield "idle, the program", how, share, 3, "% of a core"


def main():
    """Print the table; return the exit status."""
    if not CHROMIUM:
        print("page-figures needs Chromium (on Debian: apt install chromium)")
        return 1
    print("| what | from when to when | measured | goal |\n|---|---|---|---|")
    rows = [measured, *([measured_site] if is_there("pyodide") else [])]
    for what, how, figure, goal, unit in (row for rows_of in rows for row in rows_of()):
        wanted = "%g" % goal if goal else ""
        print("| %s | %s | %.3g %s | %s |" % (what, how, figure, unit, wanted), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
