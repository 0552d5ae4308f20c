# SPDX-License-Identifier: MIT
"""The view in a browser, for a television in the room.

One process speaks to the hub and writes its lines to a file; every browser gets a view of its own
that reads them there, through textual-serve. Nothing a browser sends reaches the hub.
"""

import json
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

HOST = "localhost"
AGAIN_S = 5  # a state this often, so that a view that begins late knows the trains


class Relay(threading.Thread):
    """Writes what a source says to a file until `ends`."""

    def __init__(self, source, path):
        super().__init__(daemon=True)
        self.source = source
        self.path = Path(path)
        self.path.write_text("")
        self.ends = threading.Event()

    def run(self):
        """Pass lines on until `ends` is set."""
        self.source.fresh = False
        asked = 0.0
        with self.path.open("a", encoding="utf-8") as file:
            while not self.ends.is_set():
                for line in self.source.poll():
                    file.write(json.dumps(line) + "\n")
                file.flush()
                if time.monotonic() - asked > AGAIN_S:
                    asked = time.monotonic()
                    self.source.send("state")
                time.sleep(0.05)


def serve(source, at):
    """Serve what a source says on this machine's port `at` until Ctrl-C; return exit status 0."""
    from textual_serve.server import Server

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that the file goes, and the views
    with tempfile.TemporaryDirectory(prefix="roundhouse-") as folder:
        relay = Relay(source, Path(folder) / "lines.jsonl")
        relay.start()
        command = "%s -m host_sim watch --lines %s" % (sys.executable, relay.path)
        print("the table is at http://%s:%d (Ctrl-C ends)" % (HOST, at), flush=True)
        try:
            Server(command, host=HOST, port=at, title="Roundhouse").serve()
        finally:
            relay.ends.set()
            relay.join()
    return 0
