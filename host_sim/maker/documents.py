# SPDX-License-Identifier: MIT
"""Turns the build guide's Markdown into HTML pages, and HTML pages into PDF."""

import os
import re
import shutil
import subprocess
import tempfile
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title><style>%s</style></head><body>
%s</body></html>
"""
STYLE = """body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em;
  color: #222; background: #fff }
h1, h2, h3 { line-height: 1.2; margin-top: 1.6em } a { color: #1c5d99 }
img { max-width: 100%; height: auto } pre { overflow-x: auto }
pre, code { background: #f3f1ea; border-radius: 3px } pre { padding: .6em }
code { padding: 0 .2em }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { border: 1px solid #c9c4b5; padding: .25em .6em; text-align: left; vertical-align: top }
.task-list-item { list-style: none; margin-left: -1.3em }
@page { size: A4; margin: 12mm }
@media print { body { font-size: 11px; max-width: none; margin: 0 } table { display: table }
  h1, h2, h3 { break-after: avoid } tr, img { break-inside: avoid } a { color: inherit } }"""


def anchor(heading: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def page_of(markdown: str) -> str:
    """Return a Markdown text as an HTML page, with its first heading as the title."""
    to_html = MarkdownIt("gfm-like", {"linkify": False}).disable("linkify")
    to_html.use(anchors_plugin, max_level=4, slug_func=anchor).use(tasklists_plugin, enabled=True)
    body = re.sub(r'(href="[\w./-]+)\.md(["#])', r"\1.html\2", to_html.render(markdown))
    title = re.search(r"^# (.+)$", markdown, re.M)
    return PAGE % (escape(title[1]) if title else "Roundhouse", STYLE, body)


def browser() -> str | None:
    """Return the path of a browser that can print, or None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def print_pdf(program: str, page: Path, pdf: Path) -> None:
    """Print an HTML page as PDF. Raises OSError if the browser does not write the file."""
    with tempfile.TemporaryDirectory() as profile:
        words = [program, "--headless", "--disable-gpu", "--no-pdf-header-footer"]
        words += ["--disable-dev-shm-usage", "--user-data-dir=" + profile]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            words.append("--no-sandbox")  # Chromium's sandbox does not work for root
        words += ["--print-to-pdf=%s" % pdf.resolve(), page.resolve().as_uri()]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if done.returncode or not pdf.is_file():
        raise OSError("%s printed no %s: %s" % (program, pdf.name, done.stderr.strip()[-300:]))
