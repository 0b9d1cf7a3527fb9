"""The seat of a human player: typed orders in the record's notation, and questions about position, rules and odds."""

from collections.abc import Callable
from itertools import islice
from typing import Final

from leuthen.bots import make_bot
from leuthen.engine.choice import Action, LegalSet, Refusal
from leuthen.engine.refusal import Illegal, Invalid, number_of, require, shorten
from leuthen.engine.ruleset import CHANCE, OTHER, Answer, LeaveGame, Look, Pending, Player, Side, TakeBack, Undo
from leuthen.play.record import FREE, NEVER, Writer
from leuthen.play.table import NothingToUndo
from leuthen.screen.forms import why_no_such_order
from leuthen.terminal.hotseat import Hotseat
from leuthen.terminal.page import draw_map, odds_lines
from leuthen.wargame.board import hex_name
from leuthen.wargame.bot.commander import Commander
from leuthen.wargame.missions import reasons_for
from leuthen.wargame.names import did_you_mean, format_count

ADVISER: Final = "captain"
_RADIUS: Final = 5
_LOG: Final = 20
_PROVES: Final = "It proves that the rules were followed, not that this computer's dice were fair."

COMMANDS: Final = {
    "help": "help [RULE|WORD]      this list; or a rule (O5.3), a chapter (O5), or all rules with a word. Short: ?",
    "show": "show [TOPIC]          show the situation, or one hex, leader, power or topic",
    "map": "map [PLACE|HEX] [N]   show the map up to N hexes around a place",
    "options": "options [WORDS]       list the next words of an order, legal and forbidden. Also: legal",
    "odds": "odds ORDER            show the odds of an order, or of the current attack or siege",
    "advise": "advise                show the order that the captain would give, with reasons",
    "auto": "auto                  let the captain play until the next kind of decision (such as the whole set-up)",
    "why": "why [ORDER]           show the rule that forbids an order, or the last refusal",
    "undo": "undo                  take back your last order, if nothing was revealed since",
    "takeback": "takeback [N]          take back your last N orders (default 1), if this game allows it",
    "pass": "pass                  end or skip the decision, if allowed. Also: done",
    "order": "order ORDER           give an order whose first word is also a command",
    "log": "log [N]               show the last lines of your log",
    "save": "save                  show the file in which the game is saved",
    "quit": "quit                  leave the game; it is saved",
}
_OTHER_NAMES: Final = {"?": "help", "legal": "options", "done": "pass", "exit": "quit"}
_LEAVING: Final = ("pass", "done")
_WORDS: Final = frozenset((*COMMANDS, *_OTHER_NAMES))
_CHOICES: Final = 12  # the most orders that are listed as examples


class Auto:
    """The player leaves this decision to the adviser."""


class Person:
    """A human player at the hot seat."""

    def __init__(self, hotseat: Hotseat, side: Side) -> None:
        self._hotseat = hotseat
        self._side = side
        self._refusal: Refusal | None = None
        self._refused_line = ""  # the order that was refused last in the present question
        self._adviser: Player | None = None
        self._leave_to_adviser = ""  # the decision that the adviser is answering, or ""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Answer:
        """Prompt until there is a legal answer. The end of input and Ctrl-C leave the game."""
        hotseat = self._hotseat
        if pending.decision == self._leave_to_adviser and (advice := self._advice(look, legal, pending)):
            return advice
        self._leave_to_adviser = ""
        self._refused_line = ""
        try:
            hotseat.arrive(self._side)
            hotseat.page.say(f"{hotseat.title(self._side)}: {pending.text} ({pending.rule})", "bold")
            while True:
                line = hotseat.ask(self._side)
                if line == "advise":
                    self._advise(look, legal, pending)
                    continue
                # The question mark may stand before its word without a space.
                answer = self._answer(f"help {line[1:]}" if line.startswith("?") else line, legal)
                if isinstance(answer, Auto):
                    self._leave_to_adviser = pending.decision
                    answer = self._advice(look, legal, pending)
                if answer is not None:
                    return answer
        except (EOFError, KeyboardInterrupt):
            return LeaveGame()

    def _advise(self, look: Look, legal: LegalSet, pending: Pending) -> None:
        advice, page = self._advice(look, legal, pending), self._hotseat.page
        if not isinstance(advice, Action):
            return
        view = look()
        order = self._hotseat.table.ruleset.format_action(view, self._side, advice)
        page.say(f"The {ADVISER} would order: {order}")
        for reason in reasons_for(self._adviser, view, order) if isinstance(self._adviser, Commander) else ():
            page.say(f"  {reason}", "dim")

    def _advice(self, look: Look, legal: LegalSet, pending: Pending) -> Answer | None:
        try:
            if self._adviser is None:
                self._adviser = make_bot(ADVISER, self._hotseat.table.ruleset.name, self._side, 0)
            return self._adviser.choose(look, legal, pending)
        except Invalid as error:
            self._hotseat.page.say(str(error), "red")
            return None

    def _answer(self, line: str, legal: LegalSet) -> Answer | Auto | None:
        word, _, rest = line.partition(" ")
        if not word:
            return None
        try:
            if line in _LEAVING:
                return self._pass(line, legal)
            order = rest.strip() if word == "order" and rest.strip() else line
            if (answer := self._order(order, order.partition(" ")[0], legal)) is not None:
                return answer if self._is_meant(answer) else None
            return self._command(_OTHER_NAMES.get(word, word), rest.strip(), legal)
        except Illegal as error:
            self._refused_line, refusal = line, error.refusal
            self._refusal = refusal
            place = hex_name(refusal.place) if refusal.place >= 0 else ""
            where = f"{place}: " if place and place not in refusal.text else ""
            self._hotseat.page.say(f"No: {where}{refusal.text}. Type `why` for the rule.", "red")
        except Invalid as error:
            self._hotseat.page.say(str(error), "red")
        return None

    def _order(self, line: str, word: str, legal: LegalSet) -> Action | None:
        try:
            action = self._parse(line)
        except Invalid as error:
            if _OTHER_NAMES.get(word, word) in COMMANDS:
                return None
            if refusal := why_no_such_order(self._hotseat.table.ruleset, word, legal):
                raise Illegal(refusal) from error
            known = [*map(str, legal.options().values), *COMMANDS, *_OTHER_NAMES]
            raise Invalid(f"{error}{'' if word in known else did_you_mean(word, known)}") from error
        if refusal := legal.why_not(action):
            if _OTHER_NAMES.get(word, word) in COMMANDS:
                return None
            raise Illegal(refusal)
        return action

    def _is_meant(self, action: Action) -> bool:
        table, keyboard = self._hotseat.table, self._hotseat.keyboard
        doubt = action.doubt(table.ruleset.view(table.state, self._side)) if keyboard.is_terminal else ""
        return not doubt or self._hotseat.is_confirmed(f"{doubt} Give this order")

    def _command(self, word: str, rest: str, legal: LegalSet) -> Answer | Auto | None:
        require(word not in ("order", "pass"), f"{word} what? {COMMANDS[word].removeprefix(word).strip()}")
        commands: dict[str, Callable[[], Answer | Auto | None]] = {
            "help": lambda: self._help(rest),
            "show": lambda: self._hotseat.page.say(self._hotseat.situation(self._side).render(rest)),
            "map": lambda: self._map(rest),
            "options": lambda: self._options(rest, legal),
            "odds": lambda: self._odds(rest),
            "auto": Auto,
            "why": lambda: self._why(rest, legal),
            "undo": self._undo,
            "takeback": lambda: self._take_back(rest),
            "log": lambda: self._log(rest),
            "save": self._save,
            "quit": LeaveGame,
        }
        return commands[word]()

    def _parse(self, text: str) -> Action:
        table = self._hotseat.table
        return table.ruleset.parse_action(table.state, self._side, text)

    def _undo(self) -> Answer | None:
        table = self._hotseat.table
        last = table.drafts.last(self._side)
        if last is None:
            raise NothingToUndo
        self._hotseat.page.say(
            f"Taken back: {table.ruleset.format_action(last.before, self._side, last.action)}", "dim"
        )
        return Undo()

    def _take_back(self, rest: str) -> TakeBack | None:
        """Take back the side's last orders, if the game's takebacks and the other side allow it. Raises Invalid."""
        count = number_of(rest or "1")
        if not count:
            raise Invalid(f'"{shorten(rest)}" is not a number of orders')
        hotseat, side, other = self._hotseat, self._side, OTHER[self._side]
        table = hotseat.table
        own = [number for number, one in enumerate(table.log) if one.actor == side]
        few = f"you have given only {format_count(len(own), 'order')}" if own else "you have given no order yet"
        require(count <= len(own), few)
        kept = own[-count]
        gone = table.log[kept:]
        has_dice = any(one.actor == CHANCE for one in gone)
        if table.takebacks != FREE:
            revealed_since = table.revealed_since(side, kept)
            reason = f"that cannot be taken back: {revealed_since}"
            require(not revealed_since or (table.takebacks != NEVER and other in hotseat.people), reason)
            asked = (
                f"to take back the last {format_count(len(gone), 'action')}{', dice among them' if has_dice else ''}"
            )
            question = f"{hotseat.title(side)} asks {hotseat.title(other)} {asked}"
            if other in hotseat.people and not hotseat.is_confirmed(question):  # a machine always agrees
                hotseat.page.say(f"{hotseat.title(other)} does not agree.")
                return None
        actions = f"{len(gone)} actions" if len(gone) > 1 else "action"
        hotseat.page.say(f"Taken back: the last {actions}.")
        if has_dice:
            hotseat.page.say("The same dice will be rolled again.")
        return TakeBack(side if table.takebacks == FREE else other, kept)

    def _pass(self, word: str, legal: LegalSet) -> Answer | None:
        table, keyboard, page = self._hotseat.table, self._hotseat.keyboard, self._hotseat.page
        action = table.ruleset.neutral(table.state, self._side)
        if action is None:
            page.say(f'"{word}" is not possible here: choose an order:', "red")
            some = islice(legal, _CHOICES + 1)
            lines = [table.ruleset.format_action(table.state, self._side, action) for action in some]
            known = [f"order {line}" if line.partition(" ")[0] in _WORDS else line for line in lines]
            more = ["… `options` lists more"] if len(known) > _CHOICES else []
            page.print_lines(f"  {line}" for line in [*known[:_CHOICES], *more])
            return None
        order = table.ruleset.format_action(table.state, self._side, action)
        if order != word:
            page.say(f"That is: {order}", "dim")
        asks = keyboard.is_terminal and order not in _LEAVING
        if asks and not self._hotseat.is_confirmed(f'Give the order "{order}"'):
            return None
        return action if self._is_meant(action) else None

    def _why(self, rest: str, legal: LegalSet) -> None:
        refusal = self._why_not(rest, legal) if rest else self._refusal
        if refusal is None:
            self._hotseat.page.say("No rule forbids that." if rest else "No order has been refused yet.")
            return
        self._hotseat.page.say(refusal.text)
        for rule in self._hotseat.rulebook.find(refusal.rule):
            self._hotseat.page.quote(rule)

    def _why_not(self, text: str, legal: LegalSet) -> Refusal | None:
        if self._refusal is not None and f"{self._refused_line} ".startswith(f"{text} "):
            return self._refusal
        try:
            return legal.why_not(self._parse(text))
        except Invalid:
            if refusal := why_no_such_order(self._hotseat.table.ruleset, text.split()[0], legal):
                return refusal
            raise

    def _options(self, rest: str, legal: LegalSet) -> None:
        table = self._hotseat.table
        words = table.ruleset.complete(table.state, self._side, f"{rest} " if rest else "")
        self._hotseat.page.say("  ".join(words) or self._why_no_more(rest, legal))
        if len(kind := rest.split()) == 1 and kind[0] in legal.options().values:
            found = legal.options(kind)
            prices = zip(found.values, found.prices, strict=False) if found.slot == "points" else ()
            self._hotseat.page.print_lines(f"{value}: {price}" for value, price in prices)
        for _, refusal in legal.options().refused if not rest else ():
            self._hotseat.page.say(f"not: {refusal.text}", "dim")

    def _why_no_more(self, text: str, legal: LegalSet) -> str:
        try:
            legal.options(text.split()[:1])
            refusal = legal.why_not(self._parse(text))
        except (ValueError, Invalid) as error:
            return f"Nothing more: {error}."
        return f"Nothing more: {refusal.text}." if refusal else "Nothing more: the order is complete."

    def _help(self, rest: str) -> None:
        hotseat = self._hotseat
        if not rest:
            hotseat.page.say("Type orders in the notation of the record; `options` lists the next words. Commands:")
            hotseat.page.print_lines(f"  {line}" for line in COMMANDS.values())
            hotseat.page.say(f"Chapters of the rules: {', '.join(hotseat.rulebook.chapters)}")
            return
        hotseat.page.print_rules(hotseat.rulebook, rest)

    def _map(self, rest: str) -> None:
        hotseat, words = self._hotseat, rest.split()
        radius = number_of(words[-1], 2) if words else None
        place = " ".join(words if radius is None else words[:-1])
        board, shown = hotseat.board, hotseat.situation(self._side)
        pieces = shown.scene.pieces.values()
        own = [piece for piece in pieces if piece.side == self._side]
        strongest = max(own or pieces, key=lambda piece: piece.low, default=None)
        usual = shown.scene.place or (strongest.place if strongest else "")
        here = hotseat.table.ruleset.presenter.about(shown.view, place or usual).place
        drawn = draw_map(board, hotseat.setting, shown.scene, here, _RADIUS if radius is None else radius)
        hotseat.page.draw(drawn, [name[0].upper() for name in hotseat.setting.sides])

    def _odds(self, rest: str) -> None:
        require(rest, "type odds and an order, such as an attack")
        table = self._hotseat.table
        odds = table.ruleset.presenter.odds(table.ruleset.view(table.state, self._side), rest)
        self._hotseat.page.print_lines(odds_lines(odds))

    def _log(self, rest: str) -> None:
        count = number_of(rest) if rest else _LOG
        if count is None:
            raise Invalid(f'"{shorten(rest)}" is not a number of lines')
        self._hotseat.page.print_lines(self._hotseat.logs.last(self._side, count))

    def _save(self) -> None:
        record = self._hotseat.table.record
        path = record.path if isinstance(record, Writer) else None
        self._hotseat.page.say(f"The game is saved in {path}. {_PROVES}" if path else "This game is not saved.")
