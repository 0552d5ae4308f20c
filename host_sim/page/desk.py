# SPDX-License-Identifier: MIT
"""One viewer's page: what is shown to whom, and what a click or a key does."""

import html


class Rights:
    """What a viewer may do. owner: started the program; me: the id its browser keeps."""

    def __init__(self, owner=False, me=""):
        self.owner = owner
        self.me = me


class Desk:
    """The page of one viewer."""

    def __init__(self, table, rights, language="en"):
        self.table = table
        self.rights = rights
        self.language = language

    def take(self, event):
        """Take an event of the shell, a dict; junk changes nothing."""

    def pieces(self):
        """Return {element id: its HTML}, all of them."""
        said = self.table.lines[-1]["input"] if self.table.lines else ""
        return {"story": html.escape(said)}

    def extras(self):
        """Return messages for the shell that are said once, since they were last asked for."""
        return []
