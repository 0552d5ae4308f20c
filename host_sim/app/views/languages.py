# SPDX-License-Identifier: MIT
"""The languages of the project: the folders of sentences/ that have a language.toml, English
first."""

from pathlib import Path

FOLDER = Path(__file__).with_name("sentences")
REFERENCE = "en"  # used for sentences that another language lacks

_found = sorted(path.parent.name for path in FOLDER.glob("*/language.toml"))
LANGUAGES = (REFERENCE, *(name for name in _found if name != REFERENCE))
