"""The commands `staff`, `carry-on` and `advise`: a plan for one's turn, changed in a few words, carried out, asked."""

from __future__ import annotations

from typing import Final

from leuthen.bots import bots_for, make_bot
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.terminal.hotseat import Hotseat
from leuthen.terminal.plan_file import KeptPlan, plan_file
from leuthen.wargame.missions import Missions
from leuthen.wargame.names import counted
from leuthen.wargame.staff import Staff, lines_of, reasons_for

OFFICER: Final = "captain"
DROPPED: Final = "The general begins his plan anew"


class Staffing:
    """The staff of a side whose person sits at the hot seat. Its plan stands with the seat and in no record."""

    def __init__(self, hotseat: Hotseat, side: Side) -> None:
        self._hotseat = hotseat
        self._side = side
        self._officer: Staff[object] | None = None
        self._turn = -1
        """The player turn that it carries out, or -1."""

    @property
    def _staff(self) -> Staff[object]:
        if self._officer is None:
            name = self._hotseat.table.ruleset.name
            officer = make_bot(OFFICER, name, self._side, 0)
            if not isinstance(officer, Staff):
                raise Invalid(f"the {OFFICER} of the rule set {name} has no staff yet")
            self._officer = officer
            if self._hotseat.is_resumed:
                self._recall(officer)
        return self._officer

    def _recall(self, officer: Staff[object]) -> None:
        """The plan of the last sitting; if it is of no use, that is said."""
        thought, why = plan_file(self._hotseat.game, self._side).recall(self._hotseat.table.actions)
        word = f"{DROPPED}: {why}." if why else ""
        if thought:
            officer.thought = thought
            word = officer.word
        if word:
            self._hotseat.page.say(word, "dim")

    @property
    def is_there(self) -> bool:
        """Whether a general of this game serves as staff."""
        return OFFICER in bots_for(self._hotseat.table.ruleset.name)

    @property
    def _missions(self) -> Missions:
        table = self._hotseat.table
        return self._staff.missions(table.ruleset.view(table.state, self._side))

    def command(self, rest: str) -> None:
        """Shows the plan; or gives an army a mission, or takes it away. Raises Invalid or Illegal."""
        table = self._hotseat.table
        if rest:
            self._staff.obey(table.ruleset.view(table.state, self._side), rest)
        for number, line in enumerate(lines_of(self._missions.assignments()), 1):
            self._hotseat.page.say(f"{number:>3}  {line}")

    def complete(self, text: str) -> list[str]:
        """What may stand instead of the last word of a line that begins with `staff`."""
        return self._missions.complete(text.split(" ", 1)[1]) if self.is_there else []

    def advise(self, look: Look, legal: LegalSet, pending: Pending) -> None:
        """What the staff would order in the person's place, and why. Its plan stays as it was signed."""
        staff, say = self._staff, self._hotseat.page.say
        before, view = staff.thought, look()
        order = self._hotseat.table.ruleset.format_action(view, self._side, staff.choose(look, legal, pending))
        say(f"The staff would order: {order}")
        for reason in reasons_for(staff, view, order):
            say(f"  {reason}", "dim")
        staff.thought = before

    def begin(self) -> None:
        """Lets the staff carry out the plan until the turn ends, or what it did not foresee. Raises Invalid."""
        table = self._hotseat.table
        self._turn = self._staff.turn(table.ruleset.view(table.state, self._side))

    def order(self, look: Look, legal: LegalSet, pending: Pending) -> Action | None:
        """The next order of the plan; None if the person is to be asked."""
        if self._turn < 0:
            return None
        view, staff, ruleset = look(), self._staff, self._hotseat.table.ruleset
        if staff.turn(view) != self._turn:
            self._stop("the turn of the plan is over")
            return None
        action = staff.choose(look, legal, pending)
        if doubt := staff.doubt(view, action):
            self._stop(doubt)
            return None
        self._hotseat.page.say(f"The staff: {ruleset.format_action(view, self._side, action)}", "dim")
        return action

    def leave(self) -> None:
        """The game is left: the plan is kept for the next sitting, where nobody else reads it, and that is said."""
        if self._officer is None or not self._hotseat.game:
            return
        signed = [one for one in self._missions.plan.missions if one.signed]
        file, lost = plan_file(self._hotseat.game, self._side), counted(len(signed), "mission")
        try:
            file.keep(KeptPlan(self._hotseat.table.actions, self._officer.thought))
        except OSError as error:
            why = f"{file.path}: {error.strerror}"
            self._hotseat.page.say(f"The plan is dropped, with {lost} that you gave: {why}.", "bold")
            return
        if signed:
            self._hotseat.page.say(f"Your staff keeps its plan, with {lost} that you gave.", "dim")

    def _stop(self, why: str) -> None:
        self._turn = -1
        self._hotseat.page.say(f"The staff asks: {why}.", "bold")
