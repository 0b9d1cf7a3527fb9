"""The commands `staff` and `carry-on`: a plan for one's turn, changed in a few words, and carried out."""

from __future__ import annotations

from typing import Final

from leuthen.bots import make_bot
from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look
from leuthen.terminal.desk import Desk
from leuthen.wargame.staff import Staff, lines_of

OFFICER: Final = "captain"
DROP: Final = "drop"


class Staffing:
    """The staff of a side whose person sits at the desk. Its plan stands with the seat and in no record."""

    def __init__(self, desk: Desk, side: int) -> None:
        self._desk = desk
        self._side = side
        self._officer: Staff[object] | None = None
        self._turn = -1
        """The player turn that it carries out, or -1."""

    @property
    def _staff(self) -> Staff[object]:
        if self._officer is None:
            name = self._desk.table.ruleset.name
            officer = make_bot(OFFICER, name, self._side, 0)
            if not isinstance(officer, Staff):
                raise Invalid(f"the {OFFICER} of the rule set {name} has no staff yet")
            self._officer = officer
        return self._officer

    def command(self, rest: str) -> None:
        """Shows the plan; or gives an army a mission, or takes it away. Raises Invalid."""
        table, staff = self._desk.table, self._staff
        view = table.ruleset.view(table.state, self._side)
        word, _, leader = rest.partition(" ")
        if word == DROP:
            staff.drop(view, leader)
        elif word:
            staff.give(view, rest)
        for number, line in enumerate(lines_of(staff.assignments(view)), 1):
            self._desk.page.say(f"{number:>3}  {line}")

    def begin(self) -> None:
        """Lets the staff carry out the plan until the turn ends, or what it did not foresee. Raises Invalid."""
        table = self._desk.table
        self._turn = self._staff.turn(table.ruleset.view(table.state, self._side))

    def order(self, look: Look, legal: LegalSet, pending: Pending) -> Action | None:
        """The next order of the plan; None if the person is to be asked."""
        if self._turn < 0:
            return None
        view, staff, ruleset = look(), self._staff, self._desk.table.ruleset
        if staff.turn(view) != self._turn:
            self._stop("the turn of the plan is over")
            return None
        action = staff.choose(look, legal, pending)
        if doubt := staff.doubt(view, action):
            self._stop(doubt)
            return None
        self._desk.page.say(f"The staff: {ruleset.format_action(view, self._side, action)}", "dim")
        return action

    def _stop(self, why: str) -> None:
        self._turn = -1
        self._desk.page.say(f"The staff asks: {why}.", "bold")
