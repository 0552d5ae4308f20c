# SPDX-License-Identifier: MIT
"""Why a disk refuses, in one word that sentences are kept by."""

import errno

NUMBERS = {
    "full": (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG),
    "forbidden": (errno.EACCES, errno.EPERM, errno.EROFS),
    "too_many": (errno.EMFILE, errno.ENFILE),
}


def reason(error):
    """Return why an OSError came: `full`, `forbidden`, `too_many` (files are open) or `other`."""
    number = getattr(error, "errno", None)
    return next((word for word, numbers in NUMBERS.items() if number in numbers), "other")
