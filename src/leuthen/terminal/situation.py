"""The situation as text of 80 to 100 columns, from the same values that a browser draws."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import Muster, MusterEntry, Piece, Place, Scene, Setting
from leuthen.wargame.names import Index, simplify

WIDTH: Final = 96
_RATINGS: Final = re.compile(r" (?=\d+(?:-\d+)+)")


def fill(text: str, indent: int = 0) -> str:
    """Return a text in lines, indented after the first; a name stays with its ratings."""
    kept = _RATINGS.sub("\u00a0", text)
    return textwrap.fill(kept, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False).replace("\u00a0", " ")


def listed(head: str, names: Iterable[str]) -> str:
    """Return a heading followed by a list, over several lines if it is long."""
    return fill(f"{head}: {', '.join(names) or 'none'}", len(head) + 2)


def titled(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


def known(value: int) -> str:
    """Return a number of a score; below 0 it is unknown to the viewer."""
    return "?" if value < 0 else str(value)


class SeenPosition:
    """A position as one viewer sees it, with the names of its game."""

    def __init__(self, ruleset: TableRuleset, setting: Setting, view: object) -> None:
        self.presenter = ruleset.presenter
        self.view = view
        self.setting = setting
        self.scene: Scene = ruleset.presenter.scene(view)
        self._towns: dict[Place, str] = {}
        for town in setting.towns:
            self._towns.setdefault(town.place, town.name)

    def tell(self, topic: str = "") -> str:
        """Return the whole situation, one topic, or a place, leader or power. Raises Invalid or Ambiguous."""
        text = simplify(topic)
        if not text:
            return "\n".join(self._all())
        if text in TOPICS:
            return "\n".join(TOPICS[text](self))
        return "\n\n".join("\n".join(lines) for lines in self._named(topic.strip()))

    def _named(self, text: str) -> list[Iterable[str]]:
        leaders = Index("leader", ((card.name, number) for number, card in enumerate(self.setting.leaders)))
        powers = Index("power", ((card.name, number) for number, card in enumerate(self.setting.powers)))
        looks = (powers, self._power), (leaders, self._leader)
        for is_exact in (True, False):
            found: list[Iterable[str]] = [
                tell(index.find(text))
                for index, tell in looks
                if (index.exact(text) if is_exact else index.prefixed(text))
            ]
            if place := self._place(text, is_exact):
                found.append(place)
            if found:
                return found
        raise Invalid(f"«{text}» is no place, leader or power, and none of: {', '.join(TOPICS)}")

    def _place(self, text: str, is_exact: bool) -> list[str]:
        if is_exact and not any(simplify(text) in (simplify(town.name), town.place) for town in self.setting.towns):
            return []
        try:
            about = self.presenter.about(self.view, text)
        except Ambiguous:
            raise
        except Invalid:
            return []
        return [about.title, *(fill(f"  {line}", 4) for line in about.lines)]

    def _all(self) -> Iterator[str]:
        scene = self.scene
        yield " · ".join(filter(None, (scene.title, scene.phase)))
        yield ""
        yield from self._score_lines()
        yield from self._power_lines()
        for side in (0, 1, 2):
            yield from self._side(side)
        beside = [*self._marker_lines(), *self._widgets(), *(fill(note, 2) for note in scene.notes)]
        yield from ["", *beside] if beside else []
        if scene.result:
            yield scene.result

    def _score_lines(self) -> Iterator[str]:
        first, second = self.setting.sides
        width = max((len(score.label) for score in self.scene.scores), default=0)
        wide = max(len(first), len(second), 4) + 2
        yield f"{'':{width}}{first:>{wide}}{second:>{wide}}"
        for score in self.scene.scores:
            values = "".join(f"{known(value):>{wide}}" for value in score.values)
            yield f"{score.label:{width}}{values}"

    def _power_lines(self) -> Iterator[str]:
        cards = list(zip(self.setting.powers, self.scene.powers, strict=False))
        for side, name in enumerate((*self.setting.sides, "On neither side")):
            if names := [card.name for card, status in cards if status.side == side]:
                yield listed(name, names)
        for card, status in cards:
            if status.text:
                yield fill(f"{card.name}: {status.text}", 2)

    def _side(self, side: int) -> Iterator[str]:
        pieces = [piece for piece in self.scene.pieces.values() if piece.side == side]
        if pieces:
            yield ""
            yield (*self.setting.sides, "Neutral")[side].upper()
            yield from map(self._piece, pieces)

    def at(self, place: Place) -> str:
        return f"{place} {self._towns.get(place, '')}".strip()

    def _piece(self, piece: Piece) -> str:
        head = f"  {self.at(piece.place) + (', inside' if piece.inside else ''):<25} {piece.strength:>5}  "
        leaders = ", ".join(f"{chip.name} {chip.ratings}".strip() for chip in piece.leaders)
        words = [leaders or piece.title, *(badge.code for badge in piece.badges)]
        return fill(head + "; ".join([*words, *([f"seen {piece.since}"] if piece.since else [])]), len(head))

    def _marker_lines(self) -> Iterator[str]:
        return (fill(marker.text, 2) for marker in self.scene.markers.values())

    def _widgets(self) -> Iterator[str]:
        for tray in self.scene.trays:
            yield listed(f"{tray.title}, {tray.text}", (token.text for token in tray.tokens))
        if (versus := self.scene.versus) is not None:
            yield titled(f"{versus.title}, round {versus.round}: {versus.part}", versus.rule)
            for side in versus.sides:
                strength = f"{known(side.now)} of {known(side.began)} {versus.unit}"
                yield fill(f"  {side.title} {side.ratings} {side.role}: {'; '.join([strength, *side.states])}", 4)
        for meter in self.scene.meters:
            yield fill(titled(f"{self.at(meter.place)}: {'; '.join([meter.text, *meter.lines])}", meter.rule), 2)

    def _scores(self) -> Iterator[str]:
        for score in self.scene.scores:
            first, second = map(known, score.values)
            yield fill(titled(f"{score.label}: {first} to {second}. {score.text}".rstrip(), score.rule), 2)

    def _fortresses(self) -> Iterator[str]:
        return (fill(f"{place} {holding.text}", 5) for place, holding in sorted(self.scene.holdings.items()))

    def _sieges(self) -> Iterator[str]:
        found = [fill(f"{place} {one.text}", 5) for place, one in sorted(self.scene.holdings.items()) if one.siege]
        yield from found or ["Nothing is besieged."]

    def _armies(self) -> Iterator[str]:
        for muster in self.scene.musters:
            yield from self._muster(muster)

    def _muster(self, muster: Muster) -> Iterator[str]:
        if muster.entries:
            yield self.setting.powers[muster.power].name
            yield from map(self._entry, muster.entries)

    def _entry(self, entry: MusterEntry) -> str:
        return fill(f"  {entry.name:<25} {entry.strength:>5}  {entry.text}", 34)

    def _stages(self) -> Iterator[str]:
        for stage in self.scene.stages:
            yield titled(f"{'>' if stage.when == 'now' else ' '} {stage.name}", stage.rule)

    def _power(self, power: int) -> Iterator[str]:
        for status, card in zip(self.scene.powers[power : power + 1], self.setting.powers[power:], strict=False):
            side = self.setting.sides[status.side] if status.side < 2 else ""
            yield fill(f"{card.name}: {'; '.join(filter(None, (side, status.text)))}", 2)
        for muster in self.scene.musters:
            if muster.power == power:
                yield from map(self._entry, muster.entries)

    def _leader(self, number: int) -> Iterator[str]:
        card = self.setting.leaders[number]
        facts = ", ".join(f"{name} {value}" for name, value in card.facts)
        yield fill(f"{card.name} ({self.setting.powers[card.power].name}): {facts}", 2)
        own = [entry for muster in self.scene.musters for entry in muster.entries if _is_of(entry, card.name)]
        yield from map(self._entry, own)
        for piece in self.scene.pieces.values():
            if number in (chip.id for chip in piece.leaders):
                yield self._piece(piece)


def _is_of(entry: MusterEntry, name: str) -> bool:
    return entry.name == name or (entry.name.startswith(f"{name} ") and entry.name[len(name) + 1 :][:1].isdigit())


TOPICS: Final[Mapping[str, Callable[[SeenPosition], Iterator[str]]]] = {
    "scores": SeenPosition._scores,
    "armies": SeenPosition._armies,
    "fortresses": SeenPosition._fortresses,
    "sieges": SeenPosition._sieges,
    "markers": SeenPosition._marker_lines,
    "sequence": SeenPosition._stages,
}
