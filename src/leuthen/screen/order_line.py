"""A typed order line: its completions, and the order that it denotes."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import takewhile
from typing import Final

import msgspec

from leuthen.engine.choice import LegalSet
from leuthen.engine.refusal import Illegal, Invalid, Refusal, require, shorten
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.screen.forms import DO, reason_of
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.values import Choice, Objection, OrderLine, Place
from leuthen.wargame.names import simplify

LONGEST: Final = 300  # maximum length of a line, in characters
_WAY: Final = re.compile(r"\d{4}(-\d{4})+")


def read_order_line(ruleset: TableRuleset, state: object, side: Side, text: str) -> OrderLine:
    """Return the completions and the meaning of a line.

    Raise Illegal if the side has nothing to answer, Invalid if the line is too long.
    """
    require(len(text) <= LONGEST, f'"{shorten(text)}" is too long: at most {LONGEST} characters are read')
    legal = ruleset.legal_actions(state, side)
    first = legal.first()
    if first is not None and not first.values:
        raise Illegal(first.refusal(""))
    reader = _LineReader(ruleset, state, side, legal)
    return msgspec.structs.replace(reader.meaning(text), words=tuple(reader.words(text)))


def why_no_such_order(ruleset: Ruleset, word: str, legal: LegalSet) -> Refusal | None:
    """Return the refusal of a known kind of order that is not allowed now; None for another word."""
    slot = legal.first()
    if word not in getattr(ruleset, "GRAMMAR", ()) or slot is None or slot.name != DO or word in slot.values:
        return None
    return slot.refusal(word)


class _LineReader:
    def __init__(self, ruleset: TableRuleset, state: object, side: Side, legal: LegalSet) -> None:
        self.ruleset = ruleset
        self.state = state
        self.side = side
        self.legal = legal

    def meaning(self, text: str) -> OrderLine:
        """Return the order of a line, or the reason why there is none."""
        ruleset, state, side = self.ruleset, self.state, self.side
        try:
            action = ruleset.parse_action(state, side, text)
        except Invalid as error:
            word, kinds = text.partition(" ")[0].casefold(), [str(kind) for kind in self.legal.options().values]
            if refusal := why_no_such_order(ruleset, word, self.legal):
                return OrderLine(refused=reason_of(refusal))
            is_begun = any(kind.startswith(word) for kind in kinds if word)
            return OrderLine(
                refused=Objection("", str(error) if is_begun else f"begin with one of: {', '.join(kinds)}")
            )
        if refusal := self.legal.why_not(action):
            return OrderLine(refused=reason_of(refusal))
        return OrderLine(
            order=ruleset.format_action(state, side, action),
            partial_order=ruleset.presenter.choices(state, side, action),
            doubt=action.doubt(ruleset.view(state, side)),
        )

    def words(self, text: str) -> Iterator[Choice]:
        """Yield the replacements of the last word. A path is completed with the places within reach of its force."""
        head, gap, last = text.rpartition(" ")
        before = head + gap
        found = self.ruleset.complete(self.state, self.side, text)
        next_words = found or (self.ruleset.complete(self.state, self.side, before) if last else ())
        step = next(filter(_WAY.fullmatch, next_words), "")
        goals = tuple(self._goals(before + step)) if step and "-" not in last else ()
        fields = () if before else self.ruleset.presenter.form(self.state, self.side, {}).fields
        kinds = {choice.token: choice.label for field in fields if field.name == DO for choice in field.choices}
        for word in found:
            if not (goals and _WAY.fullmatch(word)):
                yield Choice(word, kinds.get(word) or self._named(word))
        begun = simplify(last)
        yield from (goal for goal in goals if simplify(goal.token).startswith(begun) or goal.place.startswith(begun))

    def _goals(self, text: str) -> Iterator[Choice]:
        """Yield the places within reach, the nearest first; `text` is a legal order with a path of one step."""
        action = self.ruleset.parse_action(self.state, self.side, text)
        chosen = self.ruleset.presenter.choices(self.state, self.side, action)
        leads = takewhile(lambda item: not item[0].startswith("path"), chosen.items())
        reach = self.ruleset.presenter.form(self.state, self.side, dict(leads)).reach
        for place, reached in sorted(reach.items(), key=lambda item: (item[1].spent, item[0])):
            town = self._towns.get(place, "")
            yield Choice(town or place, self._named(place), f"{reached.left} MP left", place)

    def _named(self, word: str) -> str:
        """Return the label of a word: a hex or path is followed by the name of its town."""
        town = self._towns.get(word[-4:], "")
        return f"{word} {town}" if town else word

    @cached_property
    def _towns(self) -> Mapping[Place, str]:
        """Towns that a line may name in place of their hexes, because their names are unambiguous."""
        setting = self.ruleset.presenter.setting()
        taken = {simplify(one.name) for one in setting.leaders} | {simplify(one.name) for one in setting.powers}
        return {place: name for place, name in setting.names_by_place.items() if simplify(name) not in taken}
