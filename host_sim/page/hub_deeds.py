# SPDX-License-Identifier: MIT
"""What the owner can ask of a real hub: its match, the rules, a self-test, a tag to be written.

All of it is lines of the hub's console, made here of words that are known: what somebody types is
never passed on as it is.
"""

from host_sim.page import cards_sheet, new_match
from host_sim.page.deeds import OWNER, deed
from roundhouse import tags, tiles
from roundhouse import words as slots


def talk_of(desk):
    """Return the HubTalk with the hub on the table, if there is one that answers."""
    table = desk.table
    here = table.kind == "watch" and table.state and table.source.status()[0] == "usb.here"
    return table.talk if here else None


def slots_of(desk):
    """Return the names of the slots of the hub on the table: four lamps each."""
    count = len(desk.state["lamps"]) // 4
    return [str(n) for n in range(1, count - 1)] + ["M", "E"]


@deed("hub-export", OWNER)
def hub_export(desk, words, fields):
    """Save the match of the hub as a file."""
    talk = talk_of(desk)
    if not talk:
        return False

    def save(text):
        desk.tell(
            file={"name": "roundhouse-match.jsonl", "text": text, "type": "application/jsonl"}
        )

    talk.export(save)
    return desk.table.changed()


@deed("hub-rules", OWNER)
def hub_rules(desk, words, fields):
    """Choose the house and the set that the form says."""
    talk = talk_of(desk)
    if not talk:
        return False
    choice = new_match.Choice(desk.say, fields)
    talk.ask("house " + choice.house, "real_hub.chosen")
    talk.ask("set %d" % choice.set, "real_hub.chosen")
    return desk.table.changed()


@deed("hub-test", OWNER, 1)
def hub_test(desk, words, fields):
    """Begin the self-test, or end it before everything is tried."""
    talk = talk_of(desk)
    if not talk or words[0] not in ("begin", "end"):
        return False
    if words[0] == "begin" and not talk.tests:
        talk.begin_test(slots_of(desk))
    elif words[0] == "end":
        talk.end_test()
    return desk.table.changed()


@deed("hub-write", OWNER)
def hub_write(desk, words, fields):
    """Write a tag that lies on the hub: a card of the sheet, or what the form says."""
    talk = talk_of(desk)
    text = " ".join(words) or fields.get("text", "")
    slot = fields.get("slot", slots.SLOTS[slots.E])
    if not talk or slot not in slots_of(desk):
        return False
    desk.form = {"text": text, "slot": slot}
    meaning = tags.parse(text)
    if not meaning or meaning[0] == "house" and text not in cards_sheet.texts():
        talk.said = ("real_hub.no_text", {})
        return desk.table.changed()
    text = tags.plain(text)
    talk.ask("write %s %s" % (text, slot), "real_hub.written", text=text)
    return desk.table.changed()


def to_write(desk, talk):
    """Return the text that the form offers: as it was typed, or behind a tile that is written the
    next one of the set."""
    text = desk.form.get("text", "0-0")
    meaning = tags.parse(text)
    if not meaning or meaning[0] != "tile" or (talk.said or [""])[0] != "real_hub.written":
        return text
    number = tiles.tile(meaning[1], meaning[2]) + 1
    return tiles.text(0 if number == tiles.size(desk.table.seen.set) else number % tiles.size(18))


@deed("save-cards", OWNER)
def save_cards(desk, words, fields):
    """Save the sheet of cards, to be printed."""
    desk.tell(
        file={
            "name": "roundhouse-cards.html",
            "text": cards_sheet.page(desk.say),
            "type": "text/html",
        }
    )
    return True
