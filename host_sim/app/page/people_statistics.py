# SPDX-License-Identifier: MIT
"""The statistics of people over many evenings, for all games or one, with a picture. They can be
saved in a file, and such files can be added.

Only the owner sees the statistics. The owner can correct names, and can unite two names that
belong to one person.
"""

import hashlib
from collections.abc import Sequence
from datetime import date

import htpy as h
from markupsafe import Markup

from host_sim.app.page.actions import OWNER, Fields, action
from host_sim.app.page.dialogs import dialog, has_store
from host_sim.app.page.elements import (
    button,
    button_row,
    choice_button,
    close_button,
    form_error,
    known_people,
    name_field,
    points_text,
)
from host_sim.app.page.viewer import Viewer
from host_sim.app.people import people_statistics
from host_sim.app.people.people_statistics import Evenings, MatchResult, Person
from host_sim.app.views import evenings_picture
from host_sim.board.hub import match_export
from host_sim.table.games import NAMES, are_trains
from host_sim.table.player_names import clean_name

FILE_NAME = "roundhouse-evenings.json"
MOST_WIN = "+"  # after a game's name: the matches of that game in which the most points win


def store(viewer: Viewer) -> Evenings:
    """Return the statistics of matches. Call this only for a viewer who may open the dialogs about
    the statistics."""
    assert viewer.app.evenings
    return viewer.app.evenings


def kind_of(result: MatchResult) -> str:
    """Return the category in which a result is counted: the game's name, with MOST_WIN added in
    Mexican Train if the most points win."""
    return result.game + (MOST_WIN if result.most_win and are_trains(result.game) else "")


def kind_title(viewer: Viewer, kind: str) -> str:
    """Return the title of a category of results (see `kind_of`); "" means all."""
    if not kind:
        return viewer.translate("evenings.all_games")
    title = viewer.translate("games." + kind.removesuffix(MOST_WIN))
    return (
        viewer.translate("evenings.most_points", game=title) if kind.endswith(MOST_WIN) else title
    )


def number(viewer: Viewer, what: str, count: int) -> str:
    """Return a number of evenings, matches or rounds as text."""
    return viewer.translate("evenings." + what, count=count)


def id_of(key: str) -> str:
    """Return 12 hex digits that identify a person by their key (see
    `people_statistics.key_of`)."""
    return hashlib.sha256(key.encode()).hexdigest()[:12]


# ---- the page ----


@dialog("evenings", has_store)
def overview(viewer: Viewer) -> h.Node:
    """Return the dialog with all people's statistics for one category of results (see `kind_of`)
    or all."""
    translate, kept = viewer.translate, store(viewer)
    results = kept.results()
    found = {kind_of(result) for result in results}
    kinds = [kind for name in NAMES for kind in (name, name + MOST_WIN) if kind in found]
    chosen = next((word for word in (viewer.dialog.words or [])[1:2] if word in kinds), "")
    chosen = kinds[0] if len(kinds) == 1 else chosen
    shown = [result for result in results if not chosen or kind_of(result) == chosen]
    people = people_statistics.people(shown, kept.aliases)
    return [
        close_button(viewer),
        h.h1[translate("evenings.title")],
        h.p[translate("evenings.about")],
        progress(viewer),
        kind_buttons(viewer, kinds, chosen) if len(kinds) > 1 else None,
        statistics(viewer, shown, people, chosen) if people else None,
        h.p[translate("evenings.none")] if not people and not kept.left else None,
        h.label(".file")[
            translate("evenings.add"),
            h.input(type="file", accept=".json,.jsonl,.txt,.log", data_file="evenings-add"),
        ],
        form_error(viewer),
        button_row(
            button(translate("evenings.forget"), "open evenings-forget", "ghost")
            if kept.added
            else None,
            button(translate("evenings.save"), "evenings-save") if results else None,
        ),
    ]


def progress(viewer: Viewer) -> h.Node:
    """Return how many matches are still to be read, and how many could not be read."""
    kept = store(viewer)
    rows = (("reading", kept.left), ("unreadable", kept.unreadable))
    texts = [number(viewer, what, count) for what, count in rows if count]
    return h.p(role="status")[" ".join(texts)] if texts else None


def kind_buttons(viewer: Viewer, kinds: Sequence[str], chosen: str) -> h.Node:
    """Return a button for all games and one for each category of results."""
    return h.div(".kinds")[
        [
            choice_button(
                kind_title(viewer, kind), ("open evenings " + kind).strip(), kind == chosen
            )
            for kind in ("", *kinds)
        ]
    ]


def statistics(
    viewer: Viewer, results: Sequence[MatchResult], people: Sequence[Person], kind: str
) -> h.Node:
    """Return HTML with the totals, a table of people, the records, and a picture of the last
    evenings.

    kind: the category, or "" for all games
    """
    translate = viewer.translate
    counts = {
        "evenings": len({result.evening for result in results}),
        "matches": len(results),
        "rounds": sum(len(result.marks) for result in results),
    }
    nameless = sum(seat.name == "" for result in results for seat in result.seats.values())
    longest = max(people, key=lambda one: one.longest)
    latest = max(people, key=lambda one: one.late)
    tiles = viewer.story.words.tiles(longest.longest)
    return [
        h.p[
            translate(
                "evenings.sum", **{what: number(viewer, what, n) for what, n in counts.items()}
            )
        ],
        people_table(viewer, people, kind),
        h.p[translate("evenings.longest_ever", name=longest.name, tiles=tiles)]
        if longest.longest
        else None,
        h.p[translate("evenings.latest", name=latest.name, count=latest.late)]
        if latest.late
        else None,
        h.p[number(viewer, "nameless", nameless)] if nameless else None,
        picture(viewer, people),
    ]


def people_table(viewer: Viewer, people: Sequence[Person], kind: str) -> h.Node:
    """Return a table with a row for each person.

    kind: the category, or "" for all games
    """
    translate = viewer.translate
    trains = any(one.longest for one in people)
    heads = ["person", "head_evenings", "head_matches", "head_wins", "head_rounds"]
    heads += ["head_points"] * bool(kind) + ["head_longest", "head_late"] * trains
    return h.div(".wide", role="region", tabindex="0", aria_label=translate("evenings.title"))[
        h.table(".people")[
            h.thead[h.tr[[h.th(scope="col")[translate("evenings." + head)] for head in heads]]],
            h.tbody[
                [
                    h.tr[
                        h.th(scope="row")[
                            button(one.name, "open evenings-person " + id_of(one.key), "name")
                        ],
                        [h.td[text] for text in columns(one, bool(kind), trains)],
                    ]
                    for one in people
                ]
            ],
        ]
    ]


def columns(one: Person, points: bool, trains: bool) -> list[str]:
    """Return the texts in a person's row, except the name.

    points: whether to show the average points of a round
    trains: whether to show the longest train and the late knocks
    """
    counts = (len(one.evenings), one.matches, one.wins, one.rounds_won)
    found = [str(count) for count in counts]
    if points:
        found.append(points_text(round(one.points / one.rounds, 1)))
    if trains:
        found += [str(one.longest or "–"), str(one.late)]
    return found


def picture(viewer: Viewer, people: Sequence[Person]) -> h.Node:
    """Return the picture of the last evenings, with its text for a screen reader."""
    label = [
        viewer.translate(
            "evenings.picture_of",
            name=one.name,
            evenings=number(viewer, "evenings", len(one.evenings)),
            matches=number(viewer, "matches", one.wins),
        )
        for one in people[: evenings_picture.MOST_PEOPLE]
    ]
    drawn = evenings_picture.svg(
        [(one.name, one.evenings) for one in people],
        lambda evening: day_text(viewer, evening),
        "; ".join(label),
    )
    title = viewer.translate("evenings.picture")
    return [
        h.h2[title],
        h.div(".wide", role="region", tabindex="0", aria_label=title)[Markup(drawn)],
        h.p[viewer.translate("evenings.picture_key")],
    ]


def day_text(viewer: Viewer, evening: str) -> str:
    """Return a date as text with the day and the month."""
    day = date.fromisoformat(evening)
    months = viewer.translate("evenings.months").split()
    return viewer.translate("evenings.day", day=day.day, month=months[day.month - 1])


# ---- a person ----


def find(viewer: Viewer, words: Sequence[str]) -> Person | None:
    """Return the person whose id is the first word, or None."""
    kept = store(viewer)
    people = people_statistics.people(kept.results(), kept.aliases)
    return next((one for one in people if [id_of(one.key)] == [*words[:1]]), None)


@dialog("evenings-person", has_store)
def person(viewer: Viewer) -> h.Node:
    """Return the dialog to correct a person's name."""
    translate, kept = viewer.translate, store(viewer)
    one = find(viewer, (viewer.dialog.words or [])[1:])
    if not one:
        return overview(viewer)
    id_ = id_of(one.key)
    other = viewer.dialog.form.get("same", "")
    if other:
        return [
            h.h1[translate("evenings.same", name=one.name, other=other)],
            h.p[translate("evenings.same_how", other=other)],
            button_row(
                button(translate("evenings.two_people"), "open evenings-person " + id_),
                h.form(data_do="evenings-rename %s really" % id_)[
                    h.input(type="hidden", name="name", value=other),
                    h.button(".main")[translate("evenings.merge")],
                ],
            ),
        ]
    aliases = [name for name in one.names if people_statistics.key_of(name) in kept.aliases]
    aliases = [name for name in aliases if people_statistics.key_of(name) != one.key]
    return [
        close_button(viewer),
        h.h1[one.name],
        h.form(data_do="evenings-rename " + id_)[
            name_field(translate("evenings.rename"), "name", one.name),
            form_error(viewer),
            button_row(
                button(translate("evenings.title"), "open evenings"),
                button(
                    translate("evenings.forget_person", name=one.name),
                    "open evenings-forget-person " + id_,
                    "ghost",
                ),
                h.button(".main")[translate("evenings.keep_name")],
            ),
        ],
        [
            h.p[translate("evenings.counts_too", name=one.name)],
            h.ul(".aliases")[
                [
                    h.li[
                        h.b[name],
                        button(
                            translate("evenings.separate"),
                            "evenings-separate " + id_of(people_statistics.key_of(name)),
                        ),
                    ]
                    for name in aliases
                ]
            ],
        ]
        if aliases
        else None,
    ]


@dialog("evenings-forget-person", has_store)
def ask_to_forget_person(viewer: Viewer) -> h.Node:
    """Return the dialog that asks whether to forget a person."""
    translate = viewer.translate
    one = find(viewer, (viewer.dialog.words or [])[1:])
    if not one:
        return overview(viewer)
    id_ = id_of(one.key)
    return [
        h.h1[translate("evenings.forget_person_really", name=one.name)],
        h.p[translate("evenings.forget_person_how")],
        h.p[translate("evenings.forget_person_elsewhere")],
        button_row(
            button(translate("evenings.keep_name"), "open evenings-person " + id_, autofocus=True),
            button(
                translate("evenings.forget_person", name=one.name),
                "evenings-forget-person " + id_,
                "main",
            ),
        ),
    ]


@action("evenings-forget-person", OWNER, 1)
def forget_person(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Take a person out of the names and the statistics; their matches keep their seats."""
    one = find(viewer, args) if viewer.app.evenings else None
    if not one:
        return False
    viewer.app.forget_person(one.key)
    return show(viewer)


@action("evenings-rename", OWNER, 1)
def rename(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Give a person another name.

    If another person has this name, the two can become one person. This happens only if the second
    item of `args` is `really`.
    """
    kept = viewer.app.evenings
    one = find(viewer, args) if kept else None
    name = clean_name(fields.get("name"))
    if not kept or not one or not name:
        return False
    people = people_statistics.people(kept.results(), kept.aliases)
    key = people_statistics.key_of(people_statistics.shown(name, kept.aliases))
    other = next(
        (other for other in people if other.key in (key, people_statistics.key_of(name))), None
    )
    if other and other.key != one.key:
        if people_statistics.have_met(kept.results(), kept.aliases, {one.key, other.key}):
            values = {"name": one.name, "other": other.name}
            viewer.dialog.error = viewer.translate("evenings.at_one_table", **values)
            return True
        if args[1:2] != ["really"]:
            viewer.dialog.form = {"same": other.name}
            return True
    kept.rename(one.key, name)
    return show(viewer)


@action("evenings-separate", OWNER, 1)
def separate(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Undo a renaming, so that the matches under a name count for a separate person again."""
    kept = viewer.app.evenings
    keys = [key for key in kept.aliases if id_of(key) == args[0]] if kept else []
    if not kept or not keys:
        return False
    kept.separate(keys[0])
    return show(viewer)


# ---- files ----


def show(viewer: Viewer, error: str = "") -> bool:
    """Open the overview; return True."""
    viewer.dialog.open("evenings", error=error)
    return True


@action("evenings", OWNER)
def open_overview(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Look for new matches to count, then open the overview."""
    if not viewer.app.evenings:
        return False
    viewer.app.evenings.refresh()
    return show(viewer)


@action("evenings-save", OWNER)
def save(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Save all evenings as one file."""
    kept = viewer.app.evenings
    if not kept:
        return False
    viewer.send(file={"name": FILE_NAME, "text": kept.text(), "type": "application/json"})
    return True


@action("evenings-add", OWNER)
def add_file(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    kept, text = viewer.app.evenings, fields.get("text", "")
    if not kept:
        return False
    try:
        return show(viewer, added(viewer, kept.add(*people_statistics.read(text))))
    except people_statistics.NoEvenings as error:
        if error.is_newer:
            return show(viewer, viewer.translate("evenings.newer"))
    try:
        results = people_statistics.results_of(match_export.read(text), date.today().isoformat())
    except match_export.NoExport:
        return show(viewer, viewer.translate("evenings.no_file"))
    if not results:
        return show(viewer, viewer.translate("evenings.no_round"))
    known = kept.results()
    if all(any(result.is_same(old) for old in known) for result in results):
        return show(viewer, viewer.translate("evenings.all_known"))
    viewer.dialog.open("evenings-seats", form={"results": people_statistics.to_text(results)})
    return True


def added(viewer: Viewer, count: int) -> str:
    """Return a sentence about the number of matches that were added."""
    if not count:
        return viewer.translate("evenings.all_known")
    return number(viewer, "added", count)


def pending(viewer: Viewer) -> list[MatchResult]:
    """Return the results from a hub's file that still need the names of the seats, or []."""
    try:
        return people_statistics.read(viewer.dialog.form.get("results", ""))[0]
    except people_statistics.NoEvenings:
        return []


@dialog("evenings-seats", has_store)
def seats(viewer: Viewer) -> h.Node:
    """Return the form that asks who sat where in a hub's match, and when it was played."""
    translate = viewer.translate
    results = pending(viewer)
    if not results:
        return overview(viewer)
    names = viewer.table.names if viewer.table.kind == "watch" else {}
    return h.form(data_do="evenings-count")[
        close_button(viewer),
        h.h1[translate("evenings.who")],
        h.p[translate("evenings.who_how")],
        known_people(viewer),
        [
            name_field(
                translate("page.seat", number=seat),
                "name%d" % seat,
                names.get(str(seat), ""),
                list="people",
            )
            for seat in sorted({seat for result in results for seat in result.seats})
        ],
        h.label[
            translate("evenings.when"),
            h.input(type="date", name="when", value=results[0].evening, data_keep="1"),
        ],
        button_row(h.button(".main")[translate("evenings.count_match")]),
    ]


@action("evenings-count", OWNER)
def count(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Add the match of a hub to the statistics, with the names and the date typed in the form."""
    kept, results = viewer.app.evenings, pending(viewer)
    if not kept or not results:
        return False
    when = fields.get("when", "")
    try:
        evening = date.fromisoformat(when).isoformat()
    except ValueError:
        evening = results[0].evening
    names = {
        seat: clean_name(fields.get("name%d" % seat))
        for result in results
        for seat in result.seats
    }
    named = [result.named(names)._replace(evening=evening) for result in results]
    return show(viewer, added(viewer, kept.add(named)))


@dialog("evenings-forget", has_store)
def ask_to_forget(viewer: Viewer) -> h.Node:
    """Return the dialog that asks whether to remove everything that was added from files."""
    translate = viewer.translate
    return [
        h.h1[translate("evenings.forget_really")],
        h.p[translate("evenings.forget_how")],
        button_row(
            button(translate("page.keep"), "open evenings", autofocus=True),
            button(translate("page.remove"), "evenings-forget", "main"),
        ),
    ]


@action("evenings-forget", OWNER)
def forget(viewer: Viewer, args: Sequence[str], fields: Fields) -> bool:
    """Remove everything that was added from files."""
    if not viewer.app.evenings:
        return False
    viewer.app.evenings.forget_added()
    return show(viewer)
