# SPDX-License-Identifier: MIT
"""How fast the page is, and what it costs while nobody acts: `make benchpage`.

A real browser shows the table of a program that plays. Each row says from when to when.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "host_sim"))

from page_browsers import CHROMIUM, PHONE, Visitor, program  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

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
    fields = Path("/proc/%d/stat" % pid).read_text().rpartition(")")[2].split()
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
    for what, how, figure, goal, unit in measured():
        wanted = "%g" % goal if goal else ""
        print("| %s | %s | %.3g %s | %s |" % (what, how, figure, unit, wanted), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
