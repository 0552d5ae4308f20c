# SPDX-License-Identifier: MIT
"""The dialogs and actions for a table's own rule sheets. A viewer can make a sheet from a similar
sheet, store it, play by it, save its guide, write its card, and copy it into config.py."""

from collections.abc import Sequence

import htpy as h

from host_sim.app.page.actions import OWNER, Fields, action
from host_sim.app.page.dialogs import dialog, has_store
from host_sim.app.page.elements import button, button_row, close_button, form_error, name_field
from host_sim.app.page.hub_control import answer, client_of
from host_sim.app.page.viewer import Viewer
from host_sim.app.people import own_sheets
from host_sim.app.people.own_sheets import Answer, OwnSheet, Question, SheetError

LONGEST_CARD = 134  # characters: an NTAG213 has 144 bytes, ten of them for the record around it
NEW = OwnSheet("", own_sheets.BASES[0], {})


def find(viewer: Viewer, words: Sequence[str]) -> OwnSheet | None:
    """Return the stored rule sheet named by the first word, or None if there is none."""
    kept = viewer.app.own_sheets
    return kept.sheets().get(words[0]) if kept and words else None


# ---- the questions ----


@action("own-choose", OWNER)
def choose(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Store the answers given so far in the form of a rule sheet."""
    try:
        viewer.dialog.form = to_fields(own_sheets.from_answers(fields))
        viewer.dialog.error = ""
    except SheetError as error:
        viewer.dialog.form = {**fields, "asked": fields.get("base", "")}
        viewer.dialog.error = viewer.translate(error.key, **error.values)
    return True


@action("own-keep", OWNER)
def keep(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Store the rule sheet that the form describes; with the words `replace NAME`, replace the
    stored sheet of that name."""
    kept = viewer.app.own_sheets
    if not kept:
        return False
    try:
        sheet = own_sheets.from_answers(fields)
        kept.keep(sheet, replace=[*args[:2]] == ["replace", sheet.name])
    except SheetError as error:
        viewer.dialog.form = {**fields, "taken": error.values.get("name", "")}
        viewer.dialog.error = viewer.translate(error.key, **error.values)
        return True
    viewer.dialog.open("own-sheet", sheet.name)
    return True


def to_fields(sheet: OwnSheet) -> Fields:
    fields = {"title": sheet.title, "base": sheet.base, "asked": sheet.base}
    for option, text in sheet.options.items():
        is_typed = option in own_sheets.RANGES and text not in own_sheets.answers_to(option)
        fields["answer-" + option] = own_sheets.OTHER if is_typed else text
        if is_typed:
            fields["typed-" + option] = fields["was-" + option] = text
    return fields


@dialog("own", has_store)
def questions(viewer: Viewer) -> h.Node:
    """Return the form of a rule sheet: the known sheet to start from, what is different, and a
    name."""
    translate = viewer.translate
    sheet = shown(viewer)
    groups = own_sheets.questions(translate, sheet)
    taken = viewer.dialog.form.get("taken", "") if viewer.dialog.error else ""
    replace = h.button(data_do="own-keep replace " + taken)[translate("own_sheet.replace")]
    return h.form(".own", data_do="own-keep", data_change="own-choose")[
        close_button(viewer),
        h.h1[translate("own_sheet.which")],
        kept_sheets(viewer),
        h.p[translate("own_sheet.how")],
        h.input(type="hidden", name="asked", value=sheet.base),
        h.label[
            translate("own_sheet.nearest"),
            h.select(name="base")[
                [
                    h.option(value=base, selected=base == sheet.base)[
                        translate.title(base), ", ", translate("houses.%s.sheet" % base)
                    ]
                    for base in own_sheets.BASES
                ]
            ],
        ],
        [
            h.fieldset[
                h.legend[translate("own_groups." + group)],
                [one_question(viewer, question) for question in asked],
            ]
            for group, asked in groups.items()
        ],
        changes(viewer, sheet),
        name_field(
            translate("own_sheet.name"), "title", viewer.dialog.form.get("title", sheet.title)
        ),
        form_error(viewer),
        button_row(
            button(translate("page.new"), "open new"),
            replace if taken else h.button(".main")[translate("own_sheet.keep")],
        ),
    ]


def kept_sheets(viewer: Viewer) -> h.Node:
    """Return a button for each stored rule sheet."""
    assert viewer.app.own_sheets
    kept = viewer.app.own_sheets.sheets().values()
    if not kept:
        return None
    return h.div(".foot.first")[
        [button(sheet.title, "open own-sheet " + sheet.name) for sheet in kept]
    ]


def shown(viewer: Viewer) -> OwnSheet:
    """Return the rule sheet that the form describes so far. Before any answer, return the stored
    sheet that the dialog changes, or else a new sheet."""
    if not viewer.dialog.form:
        return find(viewer, (viewer.dialog.words or [])[1:]) or NEW
    try:
        return own_sheets.from_answers(viewer.dialog.form)
    except SheetError:  # leave out the typed values
        fields = {k: v for k, v in viewer.dialog.form.items() if not k.startswith("typed-")}
        fields = {k: "" if v == own_sheets.OTHER else v for k, v in fields.items()}
        return own_sheets.from_answers(fields)


def one_question(viewer: Viewer, question: Question) -> h.Node:
    return h.div(".asked", role="group", aria_label=question.text)[
        h.p[question.text],
        [one_answer(viewer, question.option, answer) for answer in question.answers],
    ]


def one_answer(viewer: Viewer, option: str, answer: Answer) -> h.Node:
    """Return one answer to a question, with a field to type a number or, without such a field, the
    rule sheets that have the answer."""
    typed = None
    if answer.typed is not None:
        typed = [
            h.input(type="hidden", name="was-" + option, value=answer.typed),
            h.input(
                name="typed-" + option,
                value=viewer.dialog.form.get("typed-" + option, answer.typed),
                maxlength=len("30, ") * own_sheets.MOST_NUMBERS,
                inputmode="numeric" if option != "deal" else None,
                autocomplete="off",
                aria_label=answer.text,
            ),
        ]
    return h.label(class_="typed" if typed else None)[
        h.input(type="radio", name="answer-" + option, value=answer.value, checked=answer.chosen),
        h.span[answer.text],
        typed or h.small[", ".join(viewer.translate("own_sheet.by_" + s) for s in answer.sheets)],
    ]


def changes(viewer: Viewer, sheet: OwnSheet) -> h.Node:
    """Return the differences between a rule sheet and the sheet it was made from, as sentences."""
    translate = viewer.translate
    found = own_sheets.differences(translate, sheet)
    return h.div(".changes", role="status")[
        h.p[translate("own_sheet.changes", sheet=translate("houses.%s.sheet" % sheet.base))],
        h.ul[[h.li[text] for text in found]]
        if found
        else h.p[translate("own_sheet.no_difference")],
    ]


# ---- a sheet that is kept ----


@dialog("own-sheet", has_store)
def own_sheet(viewer: Viewer) -> h.Node:
    translate, client = viewer.translate, client_of(viewer)
    sheet = find(viewer, (viewer.dialog.words or [])[1:])
    if not sheet:
        return questions(viewer)
    lines = own_sheets.config_lines(sheet)
    text = card_text(sheet)
    return [
        close_button(viewer),
        h.h1[translate("own_sheet.named", name=sheet.title)],
        changes(viewer, sheet),
        h.div(".rows")[
            button(translate("own_sheet.play"), "own-play " + sheet.name, "main", autofocus=True),
            button(translate("own_sheet.guide"), "own-guide " + sheet.name),
            button(translate("own_sheet.change"), "open own " + sheet.name),
            button(translate("page.remove"), "own-remove " + sheet.name, "ghost"),
        ],
        h.h2[translate("own_sheet.on_the_hub")],
        h.p[
            translate("own_sheet.card_how", text=text)
            if text
            else translate("own_sheet.no_card", name=sheet.name)
        ],
        button_row(button(translate("real_hub.write"), "own-card " + sheet.name))
        if text and client
        else None,
        answer(viewer, client),
        h.p[translate("own_sheet.config_how")],
        h.pre(".config")[lines],
        button_row(h.button(type="button", data_copy=lines)[translate("own_sheet.copy")]),
    ]


def card_text(sheet: OwnSheet) -> str:
    """Return the text of the card that chooses a rule sheet, or "" if the text is too long."""
    text = "house " + own_sheets.house_words(sheet)
    return text if len(text) <= LONGEST_CARD else ""


@action("own-play", OWNER, 1)
def play(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Open the form of a new match with a stored rule sheet chosen."""
    sheet = find(viewer, args)
    if not sheet:
        return False
    viewer.dialog.open("new", form={"house": sheet.name})
    return True


@action("own-remove", OWNER, 1)
def remove(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Delete a stored rule sheet if the second word is `really`; otherwise ask first."""
    sheet, kept = find(viewer, args), viewer.app.own_sheets
    if not sheet or not kept:
        return False
    if args[1:2] != ["really"]:
        viewer.dialog.open("own-remove", sheet.name)
        return True
    kept.remove(sheet.name)
    viewer.dialog.open("new")
    return True


@dialog("own-remove", has_store)
def ask_to_remove(viewer: Viewer) -> h.Node:
    translate = viewer.translate
    sheet = find(viewer, (viewer.dialog.words or [])[1:])
    if not sheet:
        return questions(viewer)
    return [
        h.h1[translate("own_sheet.remove_really", name=sheet.title)],
        h.p[translate("own_sheet.matches_stay")],
        button_row(
            button(translate("page.keep"), "open own-sheet " + sheet.name, autofocus=True),
            button(translate("page.remove"), "own-remove %s really" % sheet.name, "main"),
        ),
    ]


@action("own-card", OWNER, 1)
def write_card(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Write the card of a stored rule sheet to the tag on slot E of the real hub."""
    sheet, client = find(viewer, args), client_of(viewer)
    text = card_text(sheet) if sheet else ""
    if not client or not text:
        return False
    client.send("write %s E" % text, "real_hub.written", text=text)
    return viewer.watched.mark_changed()


@action("own-guide", OWNER, 1)
def save_guide(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Save the player's guide to a stored rule sheet as a file: two pages to print."""
    sheet = find(viewer, args)
    if not sheet:
        return False
    viewer.send(
        file={
            "name": "roundhouse-%s.html" % sheet.name,
            "text": own_sheets.guide_page(sheet, viewer.language),
            "type": "text/html",
        }
    )
    return True
