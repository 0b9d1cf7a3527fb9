"""The `standing` command: what a side has said beforehand, while the other is active, so that it need not be asked."""

from __future__ import annotations

from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.standing import Standing, dead_clauses, sentence_of
from leuthen.engine.texts import brief, number_of
from leuthen.play.instruction import OFF
from leuthen.terminal.hotseat import Hotseat
from leuthen.terminal.keyboard import beginning_with

ADD: Final = "add"
DROP: Final = "drop"
AGAIN: Final = "again"
WORDS: Final = (ADD, DROP, AGAIN, OFF)


class Instructing:
    """The standing instruction of a side whose person sits at the hot seat."""

    def __init__(self, hotseat: Hotseat, side: Side) -> None:
        self._hotseat = hotseat
        self._side = side
        self._told = ""
        """The surprise that he was told of last."""

    @property
    def _rules(self) -> Standing:
        rules = self._hotseat.table.ruleset.standing
        if rules is None:
            raise Invalid("there are no standing instructions in this game")
        return rules

    @property
    def _lines(self) -> tuple[str, ...]:
        return self._hotseat.table.instructions[self._side].lines

    def command(self, rest: str) -> None:
        """Shows the instruction, or changes it. Raises Invalid or Illegal."""
        word, _, clause = rest.partition(" ")
        if word == ADD:
            self._give((*self._lines, clause.strip()))
        elif word == DROP:
            at = self._number(clause)
            self._give((*self._lines[: at - 1], *self._lines[at:]))
        elif word in (OFF, AGAIN):
            self._give(() if word == OFF else self._lines)
        elif word:
            raise Invalid(f"«{word}» is not understood: {', '.join(WORDS)}, or nothing to see it")
        self._show()

    def tell_stop(self) -> None:
        """Says once that a surprise has stopped it."""
        stopped = self._hotseat.table.instructions[self._side].stopped
        if stopped and stopped != self._told:
            self._hotseat.page.say(f"Your standing instruction is in force no longer: {stopped}", "bold")
        self._told = stopped

    def complete(self, text: str) -> list[str]:
        """What may stand instead of the last word of a line that begins with `standing`."""
        table = self._hotseat.table
        _, word, *clause = text.split(" ", 2)
        if not clause or table.ruleset.standing is None:
            return beginning_with(WORDS, word)
        view = table.ruleset.view(table.state, self._side)
        return list(table.ruleset.standing.complete(view, clause[0])) if word == ADD else []

    def _give(self, lines: tuple[str, ...]) -> None:
        table = self._hotseat.table
        table.instruct(self._side, table.words_for(self._side, lines))

    def _number(self, text: str) -> int:
        """Which clause is meant. Raises Invalid."""
        number = number_of(text)
        if number is None or not 0 < number <= len(self._lines):
            raise Invalid(f"«{brief(text)}» is no clause: there are {len(self._lines)}")
        return number

    def _show(self) -> None:
        table, page = self._hotseat.table, self._hotseat.page
        rules, instruction = self._rules, table.instructions[self._side]
        view = table.ruleset.view(table.state, self._side)
        dead = dead_clauses(rules, view, instruction.lines)
        for number, (line, why) in enumerate(zip(instruction.lines, dead, strict=True), 1):
            page.say(f"{number:>3}  {line}")
            page.say(f"     {sentence_of(rules, view, line)}", "dim")
            if why:
                page.say(f"     {why}.", "red")
        if not instruction.lines:
            page.say("No standing instruction. Add clauses with: standing add hold other")
        elif instruction.stopped:
            page.say(f"In force no longer: {instruction.stopped}. With «standing {AGAIN}» it is.")
        else:
            page.say("In force, until something happens that no clause foresees.")
