"""The presenter of the Fords: views, events and orders as values that browser and terminal draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fords.model import AWAY, NEUTRAL, TURNS, View
from leuthen.engine.choice import Slot, Token
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, Side
from leuthen.screen.forms import fill_form
from leuthen.screen.presenter import Presenter
from leuthen.screen.values import (
    About,
    Choice,
    Form,
    HeldFortress,
    LogEntry,
    Objection,
    PartialOrder,
    Piece,
    PowerCard,
    ScenarioCard,
    Scene,
    Score,
    Setting,
    Stage,
    Town,
)

if TYPE_CHECKING:
    from fords.ruleset import Fords

PARTS = {"setup": ("Set-up", "F3.1"), "moves": ("Moves", "F4.1"), "battle": ("Battle", "F5.1")}
ASKED = {"do": "What to do", "strength": "Strength", "block": "Block", "area": "Area"}
KINDS = {"do": "word", "strength": "flag", "block": "leader", "area": "hex"}
VERBS = {
    "place": "set up a block",
    "move": "move a block",
    "done": "done",
    "press": "press the attack",
    "withdraw": "withdraw",
}


def make_presenter(game: Fords) -> Presenter:
    """Return the presenter of the game."""
    return Presenter(
        setting=partial(make_setting, game),
        scene=partial(make_scene, game),
        present_event=partial(present_event, game),
        form=partial(make_form, game),
        about=partial(make_about, game),
    )


def make_setting(game: Fords) -> Setting:
    """Return the constant facts of the game."""
    return Setting(
        ruleset=game.name,
        title="The Fords",
        version=game.version,
        sides=game.sides,
        powers=tuple(
            PowerCard(side.capitalize(), side[0].upper(), number, True) for number, side in enumerate(game.sides)
        ),
        leaders=(),
        fortresses=(),
        tables=(),
        layers=(),
        options=(),
        towns=tuple(Town(name, name) for name in game.data.names),
        scenarios=tuple(ScenarioCard(*each) for each in game.scenarios.items()),
        years=(1, TURNS),
        turns=("the turn",),
    )


def make_scene(game: Fords, view: View) -> Scene:
    """Return the scene of a view."""
    frame = next((frame for frame in reversed(view.frames) if frame.__struct_config__.tag in PARTS), None)
    name, _ = PARTS[frame.__struct_config__.tag] if frame is not None else ("The end", "")
    points = tuple(sum(game.data.points[a] for a in game.data.towns if view.owners[a] == side) for side in SIDES)
    return Scene(
        viewer=view.viewer,
        title=f"Turn {view.turn} of {TURNS}" if view.turn else "Before the first turn",
        phase=name,
        year=max(1, view.turn),
        turn=1,
        phasing=getattr(frame, "side", getattr(frame, "attacker", NEUTRAL)),
        pieces={f"{piece.place}-{piece.side}f": piece for piece in _pieces(game, view)},
        markers={},
        holdings={game.data.names[area]: _holding(game, view, area) for area in game.data.towns},
        scores=(Score("points", "Points", (points[0], points[1]), "of the towns that a side owns", "F6.1"),),
        stages=tuple(Stage(label, rule, "now" if label == name else "next") for label, rule in PARTS.values()),
        powers=(),
        musters=(),
        place=game.data.names[frame.area] if frame is not None and hasattr(frame, "area") else "",
        result=_result(game, view),
    )


def _pieces(game: Fords, view: View) -> Iterator[Piece]:
    for area, name in enumerate(game.data.names):
        for side in SIDES:
            blocks = [(n, b) for n, b in enumerate(view.blocks) if (b.area, b.side) == (area, side)]
            if blocks:
                yield _piece(game, name, side, blocks)


def _piece(game: Fords, place: str, side: Side, blocks: Sequence[tuple[int, Any]]) -> Piece:
    """Return the piece of a side's blocks in an area; hidden strengths are a range."""
    lines = tuple(
        f"b{n + 1}: {b.strength}{' (open)' if b.is_open else ''}" if b.full else f"b{n + 1}: ?" for n, b in blocks
    )
    is_known = all(block.full for _, block in blocks)
    shown = "".join(str(block.strength) if block.full else "?" for _, block in blocks)
    low = sum(block.strength or 1 for _, block in blocks)
    high = sum(block.strength or 4 for _, block in blocks)
    strength = str(low) if is_known else f"{low} to {high}"
    number = f"{len(blocks)} block{'s' * (len(blocks) > 1)}"
    spoken = f"{game.names.side(side)} at {place}: {number}, strength {strength}"
    title = game.names.side(side)
    return Piece(place, side, False, side, title, "", shown, low, high, is_known, spoken, lines=lines)


def _holding(game: Fords, view: View, area: int) -> HeldFortress:
    owner, points = view.owners[area], game.data.points[area]
    whose = game.names.side(owner) if owner in SIDES else "nobody"
    is_held = any(block.area == area and block.side == owner for block in view.blocks)
    return HeldFortress(owner, is_held, points, f"{game.data.names[area]}, {points} points: {whose}")


def _result(game: Fords, view: View) -> str:
    if view.outcome is None:
        return ""
    who = "A draw" if view.outcome.winner is None else f"{game.names.side(view.outcome.winner)} wins"
    return f"{who}: {view.outcome.how} ({view.outcome.rule})"


def present_event(game: Fords, event: Any) -> LogEntry:
    """Return the log entry of an event."""
    places = tuple(game.data.names[getattr(event, name)] for name in ("start", "area") if hasattr(event, name))
    return LogEntry(
        event=event.__struct_config__.tag,
        text=event.describe(game.names),
        rule=event.rule,
        side=event.side,
        places=places[-1:],
        path=places if len(places) > 1 else (),
        dice=(event.die,) if hasattr(event, "die") else (),
        topic="turn" if event.BEGINS_TURN else "",
    )


def make_about(game: Fords, view: View, place: str) -> About:
    """Return the facts that a viewer may know of an area. Raises Invalid or Ambiguous."""
    area = game.names.index.find(place)
    name = game.data.names[area]
    ways = [
        (there, "over a ford" if (area, there) in game.data.fords else "") for there in sorted(game.data.ways[area])
    ]
    near = ", ".join(f"{game.data.names[there]} {how}".strip() for there, how in ways)
    scene = make_scene(game, view)
    town = [scene.holdings[name].text] if name in scene.holdings else []
    pieces = [line for piece in scene.pieces.values() if piece.place == name for line in (piece.spoken, *piece.lines)]
    return About(name, name, (f"Next to it: {near}", *town, *pieces))


class Questions:
    """The wording of an order's questions, and the reading of answers."""

    def __init__(self, game: Fords, state: Any) -> None:
        self.game = game
        self.state = state

    def kind(self, slot: Slot) -> str:
        return KINDS[slot.name]

    def label(self, slot: Slot) -> str:
        return ASKED[slot.name]

    def choice(self, slot: Slot, token: Token) -> Choice:
        """Return an answer in words, with its place."""
        names = self.game.data.names
        match slot.name:
            case "do":
                return Choice(str(token), VERBS[str(token)])
            case "area":
                return Choice(names[int(token)], names[int(token)], place=names[int(token)])
            case "block":
                block = self.state.blocks[int(token)]
                label = f"b{int(token) + 1}, strength {block.strength}, at {names[block.area]}"
                return Choice(str(token), label, place=names[block.area])
        return Choice(str(token), str(token))

    def read(self, slot: Slot, text: str) -> Token | None:
        """Return the answer named by a text."""
        if slot.name == "area":
            return self.find(slot, text)
        return int(text) if slot.name != "do" and text.isascii() and text.isdigit() and len(text) < 4 else text

    def find(self, slot: Slot, place: str) -> Token | None:
        """Return the answer for a clicked place or piece: the area, or a block in it."""
        try:
            area = self.game.names.index.find(place.partition("-")[0])
        except Invalid:
            return None
        if slot.name == "block":
            return next((n for n in slot.values if self.state.blocks[int(n)].area == area), None)
        return area if slot.name == "area" else None

    def leg(self, slot: Slot, text: str) -> Sequence[Token] | Objection:
        return Objection("", "a block moves to one area at a time")

    def preset(self, slot: Slot) -> Token | None:
        return None

    def record_answer(self, slot: Slot, token: Token | None, is_step: bool) -> None:
        """Do nothing: no question depends on another."""


def make_form(game: Fords, state: Any, actor: Side, partial_order: PartialOrder) -> Form:
    """Return the form of a partial order. Never raises."""
    filled = fill_form(game.legal_actions(state, actor), Questions(game, state), partial_order)
    order = game.format_action(state, actor, filled.action) if filled.action is not None else ""
    return Form(filled.fields, order, filled.refused)


__all__ = ["AWAY", "make_presenter"]
