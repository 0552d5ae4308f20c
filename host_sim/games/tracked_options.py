# SPDX-License-Identifier: MIT
"""The options a match is judged by, and which of them a judgement looked at."""


class TrackedOptions(dict):
    """Option -> word; `asked` collects the options that were looked at."""

    def __init__(self, words):
        super().__init__(words)
        self.asked = set()

    def __getitem__(self, option):
        self.asked.add(option)
        return super().__getitem__(option)
