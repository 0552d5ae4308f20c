# SPDX-License-Identifier: MIT
"""Each committed file that is generated from code is up to date."""

import generated_files
import pytest

FILES = generated_files.files()


@pytest.mark.parametrize(
    "file", FILES, ids=lambda file: file.relative_to(generated_files.ROOT).as_posix()
)
def test_it_is_what_its_source_makes(file):
    assert file.read_text(encoding="utf-8") == FILES[file](), "make made"
