# SPDX-License-Identifier: MIT
"""Takes the screenshots of the page for the READMEs: `make pictures`.

The match is always the same: its seats and seed are fixed, and bots play before a person.
"""

import io
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware"), str(ROOT / "tests" / "host_sim")]

from page_browsers import CHROMIUM, DESK, PHONE, PLACE, TELEVISION, Visitor, program  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from host_sim.app.session.match_store import MatchStore  # noqa: E402
from host_sim.app.session.player_view import PlayerView  # noqa: E402
from host_sim.app.views.table_names import first_names  # noqa: E402

FOLDER = ROOT / "host_sim" / "app" / "page" / "pictures"
SEATS = (1, 2, 3, 4)
MOVES = 33


def middle_of_a_round(folder: str) -> None:
    """Save a match at the turn of a person with at least two tiles that fit."""
    names = {int(seat): name for seat, name in first_names(SEATS).items()}
    session = MatchStore(folder).new(seats=SEATS, people=(), house="puremco", seed=5, names=names)
    for _ in range(MOVES):
        session.act()
    session.sit_down(1)
    while session.waits_for().kind != "person" or len(PlayerView(session).fits(1)) < 2:
        if not session.act():
            session.press(1)
    PlayerView(session).sort(1, "by number")
    session.save()
    session.close()


def save(png: bytes, path: Path) -> None:
    Image.open(io.BytesIO(png)).convert("RGB").quantize(256).save(path, optimize=True)


def main() -> int:
    if not CHROMIUM:
        print("pictures of the page need Chromium (on Debian: apt install chromium)")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        middle_of_a_round(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with program("play", "--folder", folder, "--at", "0") as served:
            for name, size in (("desk", DESK), ("phone", PHONE)):
                page = Visitor(browser, size).open(served.address).page
                page.wait_for_selector(".tile-button.fits")
                page.locator(".tile-button.fits").first.click()
                page.wait_for_selector(PLACE)
                page.wait_for_timeout(1500)
                save(page.screenshot(), FOLDER / (name + ".png"))
            address = served.address.replace("#", "?tv#")
            page = Visitor(browser, TELEVISION).open(address).page
            page.wait_for_selector("#table > svg")
            page.wait_for_timeout(1500)
            save(page.screenshot(), FOLDER / "television.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
