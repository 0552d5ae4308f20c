# SPDX-License-Identifier: MIT
"""Scales a schematic that KiCad printed as PDF to A4, so that any printer takes it."""

import re

A4 = (841.89, 595.28)  # wide, high, in points
PAGE = re.compile(rb"(\d+) 0 obj\n<<\n/Type /Page\n.*?endobj\n", re.S)
BOX = re.compile(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]")
CONTENTS = re.compile(rb"/Contents (\d+ 0 R)")
BOOKMARK = re.compile(rb"(\d+) 0 obj\n<</S /GoTo /D \[\d+ 0 R /FitR ([^\]]+)\]\n>>\nendobj\n")


def on_a4(pdf: bytes) -> bytes:
    """Return KiCad's PDF of one page, its page scaled to A4, landscape.

    The changed objects are appended, as PDF's incremental updates are.
    """
    (page,) = PAGE.finditer(pdf)
    box, contents = BOX.search(page[0]), CONTENTS.search(page[0])
    assert box and contents
    scale = min(new / float(old) for new, old in zip(A4, box.groups()))
    if abs(scale - 1) < 0.01:
        return pdf
    ends = [re.findall(rb"%s (\d+)" % word, pdf)[-1] for word in (rb"/Size", rb"/Root", rb"/Info")]
    size, root, info = map(int, ends)
    before = b"%.5f 0 0 %.5f 0 0 cm\n" % (scale, scale)
    scaled = page[0].replace(box[0], b"/MediaBox [0 0 %.2f %.2f]" % A4)
    scaled = scaled.replace(contents[0], b"/Contents [%d 0 R %s]" % (size, contents[1]))
    objects = {
        int(page[1]): scaled,
        size: b"%d 0 obj\n<< /Length %d >>\nstream\n%sendstream\nendobj\n"
        % (size, len(before), before),
    }
    for mark in BOOKMARK.finditer(pdf):
        places = b" ".join(b"%.1f" % (scale * float(place)) for place in mark[2].split())
        objects[int(mark[1])] = mark[0].replace(mark[2], places)
    out = pdf
    entries = b""
    for number, text in objects.items():
        entries += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += text
    trailer = b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R /Prev %s >>\n"
    last = re.findall(rb"startxref\s+(\d+)", pdf)[-1]
    end = trailer % (size + 1, root, info, last) + b"startxref\n%d\n%%%%EOF\n" % len(out)
    return out + b"xref\n" + entries + end
