# SPDX-License-Identifier: MIT
"""What the owner can ask of a real hub: its match, the rules, a self-test, a tag to be written.

All of it is lines of the hub's console, made here of words that are known: what somebody types is
never passed on as it is.
"""

from host_sim.page import new_match, printable_cards
from host_sim.page.actions import OWNER, action
from roundhouse import constants as slots
from roundhouse import tags, tiles


def client_of(view):
    """Return the HubClient with the hub on the table, if there is one that answers."""
    table = view.table
    here = table.kind == "watch" and table.state and table.source.status()[0] == "usb.here"
    return table.client if here else None


def slots_of(view):
    """Return the names of the slots of the hub on the table: four lamps each."""
    count = len(view.state["lamps"]) // 4
    return [str(n) for n in range(1, count - 1)] + ["M", "E"]


@action("hub-export", OWNER)
def hub_export(view, words, fields):
    """Save the match of the hub as a file."""
    client = client_of(view)
    if not client:
        return False

    def save(text):
        view.tell(
            file={"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
        )

    client.export(save)
    return view.table.changed()


@action("hub-rules", OWNER)
def hub_rules(view, words, fields):
    """Choose the house and the set that the form says."""
    client = client_of(view)
    if not client:
        return False
    choice = new_match.Choice(view.say, fields)
    client.ask("house " + choice.house, "real_hub.chosen")
    client.ask("set %d" % choice.set, "real_hub.chosen")
    return view.table.changed()


@action("hub-test", OWNER, 1)
def hub_test(view, words, fields):
    """Begin the self-test, or end it before everything is tried."""
    client = client_of(view)
    if not client or words[0] not in ("begin", "end"):
        return False
    if words[0] == "begin" and not client.tests:
        client.begin_test(slots_of(view))
    elif words[0] == "end":
        client.end_test()
    return view.table.changed()


@action("hub-write", OWNER)
def hub_write(view, words, fields):
    """Write a tag that lies on the hub: a card of the sheet, or what the form says."""
    client = client_of(view)
    text = " ".join(words) or fields.get("text", "")
    slot = fields.get("slot", slots.SLOTS[slots.E])
    if not client or slot not in slots_of(view):
        return False
    view.form = {"text": text, "slot": slot}
    meaning = tags.parse(text)
    if not meaning or meaning[0] == "house" and text not in printable_cards.texts():
        client.said = ("real_hub.no_text", {})
        return view.table.changed()
    text = tags.plain(text)
    client.ask("write %s %s" % (text, slot), "real_hub.written", text=text)
    return view.table.changed()


def to_write(view, client):
    """Return the text that the form offers: as it was typed, or behind a tile that is written the
    next one of the set."""
    text = view.form.get("text", "0-0")
    meaning = tags.parse(text)
    if not meaning or meaning[0] != "tile" or (client.said or [""])[0] != "real_hub.written":
        return text
    number = tiles.tile(meaning[1], meaning[2]) + 1
    return tiles.text(0 if number == tiles.size(view.table.seen.set) else number % tiles.size(18))


@action("save-cards", OWNER)
def save_cards(view, words, fields):
    """Save the sheet of cards, to be printed."""
    view.tell(
        file={
            "name": "roundhouse-cards.html",
            "text": printable_cards.page(view.say),
            "type": "text/html",
        }
    )
    return True
