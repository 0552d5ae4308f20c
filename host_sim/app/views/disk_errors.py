# SPDX-License-Identifier: MIT
"""The reasons for disk errors, each with a sentence on the page."""

import errno

NUMBERS = {
    "full": (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG),
    "forbidden": (errno.EACCES, errno.EPERM, errno.EROFS),
    "too_many": (errno.EMFILE, errno.ENFILE),
}


def reason(error: Exception) -> str:
    """Return the reason for an error: `full`, `forbidden`, `too_many` (open files) or `other`."""
    number = getattr(error, "errno", None)
    return next((word for word, numbers in NUMBERS.items() if number in numbers), "other")
