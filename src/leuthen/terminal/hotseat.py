"""The hot seat: one table, keyboard and screen for two players, that keeps each side's secrets, with its logs."""

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, Protocol

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, VIEWERS, LeaveGame, Side, Undo, ViewerId, is_side
from leuthen.load import Rulebook, UnreadableFile, read_map, read_rulebook
from leuthen.play.table import Step, Table
from leuthen.screen.presenter import TableRuleset
from leuthen.screen.story import DatedEntry, Moment, make_story
from leuthen.screen.values import Score
from leuthen.terminal.page import Page, SeenPosition
from leuthen.wargame.board import Board

YES: Final = ("y", "yes")


class Keyboard(Protocol):
    """Source of typed lines. Raises EOFError at the end of input or Ctrl-D, KeyboardInterrupt at Ctrl-C."""

    is_terminal: bool

    def ask(self, prompt: str, side: Side) -> str:
        """Return an order line. `side` has a history of its own that the other side never sees."""

    def wait(self, prompt: str) -> str:
        """Return a line that enters no history."""


class Pipe:
    """Lines from standard input that is not a terminal. They are echoed, so that the output reads as a whole."""

    is_terminal = False

    def ask(self, prompt: str, side: Side) -> str:
        return self.wait(prompt)

    def wait(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
        if not line:
            raise EOFError
        return line.strip()


class Prompt:
    """A terminal, with line editing and a history for each side where the platform has readline."""

    is_terminal = True

    def __init__(self) -> None:
        self._histories: dict[int, list[str]] = {}

    def ask(self, prompt: str, side: Side) -> str:
        """Return an order line. Ctrl-C discards the input and prompts again."""
        history = self._histories.setdefault(side, [])
        while True:
            _load_history(history)
            try:
                line = input(prompt).strip()
            except KeyboardInterrupt:
                print("\n(Press Ctrl-D or type quit to leave. The game is saved.)")
                continue
            finally:
                _load_history(())
            if line and line not in history[-1:]:
                history.append(line)
            return line

    def wait(self, prompt: str) -> str:
        return input(prompt).strip()


def _load_history(lines: Sequence[str]) -> None:
    try:
        import readline
    except ImportError:  # Windows
        return
    readline.set_auto_history(False)
    readline.clear_history()
    for line in lines:
        readline.add_history(line)


def get_keyboard() -> Keyboard:
    return Prompt() if sys.stdin.isatty() and sys.stdout.isatty() else Pipe()


class ViewerLogs:
    """An observer that collects the log of each viewer. Drafts are visible only to their own side until they are
    committed."""

    def __init__(self, ruleset: TableRuleset) -> None:
        self._ruleset = ruleset
        self._told: tuple[list[str], ...] = tuple([] for _ in VIEWERS)
        self._read = [0 for _ in VIEWERS]

    def on_action(self, step: Step) -> None:
        if is_side(step.actor):
            self._told[step.actor].extend(self.lines(step, step.actor))

    def on_undo(self, step: Step) -> None:
        assert is_side(step.actor)
        told = self._told[step.actor]
        del told[len(told) - len(step.transition.events(step.actor)) :]
        self._read[step.actor] = min(self._read[step.actor], len(told))

    def on_committed(self, steps: Sequence[Step]) -> None:
        for step in steps:
            for viewer in VIEWERS:
                if viewer != step.actor or step.actor == CHANCE:
                    self._told[viewer].extend(self.lines(step, viewer))

    def lines(self, step: Step, viewer: ViewerId) -> list[str]:
        return [self._ruleset.presenter.present_event(event).sentence for event in step.transition.events(viewer)]

    def news(self, viewer: ViewerId) -> list[str]:
        """Return the lines that the viewer has not read yet, and mark them read."""
        fresh = self._told[viewer][self._read[viewer] :]
        self._read[viewer] = len(self._told[viewer])
        return fresh

    def last(self, viewer: ViewerId, count: int) -> list[str]:
        return self._told[viewer][-count:] if count > 0 else []


class Hotseat:
    """The table, screen and keyboard of the players at this terminal. `people` are their sides, `logs` the entries
    that they have seen in earlier sessions."""

    def __init__(
        self, table: Table, keyboard: Keyboard, page: Page, people: Sequence[Side], logs: ViewerLogs | None = None
    ) -> None:
        self.table = table
        self.keyboard = keyboard
        self.page = page
        self.people = tuple(people)
        self.logs = logs or ViewerLogs(table.ruleset)
        self.present: Side | None = None if len(self.people) > 1 else self.people[0] if self.people else None
        self.setting = table.ruleset.presenter.setting()
        self._welcomed: set[Side] = set()
        if logs is None:
            table.observers.append(self.logs)

    @cached_property
    def rulebook(self) -> Rulebook:
        return Rulebook(read_rulebook(self.table.ruleset.name))

    @cached_property
    def board(self) -> Board:
        """The hexes of the map. Raises Invalid if the game has none."""
        try:
            return read_map(self.table.ruleset.name)
        except UnreadableFile as error:
            raise Invalid(f"{self.setting.title} has no hex map. Type show and a place to see it.") from error

    def situation(self, side: Side) -> SeenPosition:
        ruleset = self.table.ruleset
        return SeenPosition(ruleset, self.setting, ruleset.view(self.table.state, side))

    def title(self, side: Side) -> str:
        return self.table.name(side).capitalize()

    def ask(self, side: Side) -> str:
        return self.keyboard.ask(f"{self.table.name(side)}> ", side)

    def is_confirmed(self, question: str) -> bool:
        return self.keyboard.wait(f"{question}: yes or no? ").lower() in YES

    def arrive(self, side: Side) -> None:
        """Seat a side that has to answer: clear the other side's secrets from the screen, print what is new."""
        is_new, self.present = self.present != side, side
        if is_new and not self.keyboard.is_terminal:
            self.page.say(f"--- {self.title(side)} ---")
        elif is_new:
            self.page.wipe()
            self.keyboard.wait(f"Pass the keyboard to {self.title(side)}; {self.title(side)} presses Enter. ")
            self.page.wipe()
        if side not in self._welcomed:
            self._welcomed.add(side)
            self.page.say(self.situation(side).render())
        self.page.print_lines(self.logs.news(side))

    def hand_over(self, leaves: Side, comes: Side) -> Undo | LeaveGame | None:
        """Let a player confirm the end of a turn, or undo it, before the other side sees the screen."""
        if leaves not in self.people or comes not in self.people or not self.keyboard.is_terminal:
            return None
        self.page.print_lines(self.logs.news(leaves))
        try:
            answer = self.keyboard.wait(f"Press Enter to hand over to {self.title(comes)}, or type undo: ")
        except (EOFError, KeyboardInterrupt):
            return LeaveGame()
        if answer == "undo":
            return Undo()
        return LeaveGame() if answer == "quit" else None


# --- the story of the war at its end ----------------------------------------------------------------------------------


MOST: Final = 5  # the most commanders in the story


def story_lines(table: Table) -> Iterator[str]:
    """Yield the story of a war up to this position, line by line, for the time when nothing is secret any more."""
    ruleset, state = table.ruleset, table.first
    presenter, setting = ruleset.presenter, ruleset.presenter.setting()
    moments, lines = list[Moment](), list[DatedEntry]()

    def scores_now() -> tuple[Score, ...]:
        scores = presenter.scene(ruleset.view(state, EVERYTHING)).scores
        year, turn = ruleset.date(state)
        date = setting.turns[turn - 1] if 0 < turn <= len(setting.turns) else str(turn)
        moments.append(Moment(year, date, {score.id: score.values for score in scores}))
        return scores

    scores_now()
    for counted in table.log:
        transition = ruleset.apply(state, counted.actor, counted.action)
        state = transition.state
        for event in transition.events(EVERYTHING):
            entry = presenter.present_event(event)
            if entry.topic == "turn":
                scores_now()
            lines.append(DatedEntry(len(moments) - 1, entry))
    last = scores_now()
    story = make_story(setting.sides, moments, lines, last[0].label if last else "")
    for year in story.years:
        yield f"{year.year}: {' '.join(year.sentences)}"
    for one in story.commanders[:MOST]:
        fought = f"{one.battles} battle{'s' * (one.battles != 1)}, {one.won} won, {one.lost} lost"
        yield f"{one.name}: {fought}; {one.suffered} {story.unit} lost, {one.inflicted} {story.unit} of the enemy"
