# SPDX-License-Identifier: MIT
"""What is asked of a real hub over its console, besides watching it, and what it answered."""

import json

# what the hub says in English, in part -> the key of our sentence
TROUBLES = {
    "no tag;": "no_tag",
    "more than one tag": "two_tags",
    "the tag is locked": "tag_locked",
    "not an NTAG": "not_ntag",
    "the tag refused": "tag_refused",
    "the tag left": "tag_left",
    "does not fit this tag": "text_too_long",
    "the reader does not answer": "reader_fault",
    "this hub has no slot": "no_slot",
}
PARTS = ("reader", "button", "tag")  # of a slot, that a self-test tries
WELL = "ok"
FAULT = "fault"
BROKEN = (FAULT, "stuck", "?")  # as the hub says it
OPEN = ""  # still to be tried


class HubClient:
    """The talk with one hub. source: a views.line_streams.HubSource.

    said: (key of a sentence, {name: what fills it}) about the last answer, or None; test: {slot:
    {part: WELL, FAULT or OPEN}} of the last self-test, tests: whether one is running.
    """

    def __init__(self, source):
        self._source = source
        self._asked = []  # (line, what is said when it was taken, its values)
        self._exports = None  # the lines of an export that comes, and who wants it
        self.said = None
        self.test = {}
        self.tests = False

    def ask(self, line, well, **values):
        """Type a line; well: the key of what is said when the hub takes it."""
        self.said = ("real_hub.waits", {})
        self._asked.append((line, (well, values)))
        self._source.send(line)

    def export(self, save):
        """Ask for the match; save(text) is called with all of it."""
        self._exports = ([], save)
        self.said = ("real_hub.waits", {})
        self._source.send("export")

    def begin_test(self, slots):
        """Begin the self-test; slots: their names."""
        self.said = None
        self.test = {slot: dict.fromkeys(PARTS, OPEN) for slot in slots}
        self.tests = True
        self._source.send("selftest")

    def end_test(self):
        """End the self-test before all is tried."""
        if self.tests:
            self._source.send("selftest")

    def lost(self):
        """The hub is gone: nothing is waited for any more."""
        if self._asked or self._exports or self.tests:
            self.said = ("real_hub.was_lost", {})
        self._asked, self._exports, self.tests = [], None, False

    def hear(self, line):
        """Take a line of the hub; return whether it was only an answer and tells no story."""
        if "segment" in line:
            if self._exports:
                self._exports[0].append(line)
            return True
        if "selftest" in line or "tag" in line or (self.tests and "slot" in line):
            self._tested(line)
            return True
        if line.get("input") == "export" and self._exports:
            lines, save = self._exports
            self._exports, self.said = None, ("real_hub.saved", {})
            save("".join(json.dumps(one) + "\n" for one in [*lines, line]))
            return False
        return self._answered(line)

    def _answered(self, line):
        if not self._asked or not {"error", "input"} & set(line):
            return False
        asked, well = self._asked[0]
        if "error" in line:
            known = [key for part, key in TROUBLES.items() if part in line["error"]]
            self.said = ("real_hub." + (known or ["did_not"])[0], {})
            del self._asked[:]
            return True
        if line["input"] == asked:
            del self._asked[0]
            if line["verdict"] != "ok":
                self.said = ("real_hub.not_now", {})
                del self._asked[:]
            elif not self._asked:
                self.said = well
        return False

    def _tested(self, line):
        if "slot" in line:
            found = self.test.setdefault(line["slot"], dict.fromkeys(PARTS, OPEN))
            for part in set(PARTS) & set(line):
                found[part] = FAULT if line[part] in BROKEN else WELL
            return
        self.tests = line["selftest"] == "begin"  # by whomever it was begun
        readers = line.get("readers")
        for slot in self.test:
            if isinstance(readers, list) and slot in readers:
                self.test[slot]["reader"] = FAULT
