"""The proof of a game as it grows: it takes line after line and refuses what does not fit those before; its dice.

Whoever keeps a game appends through the verbs (`give_link`, `add_line`, `close` …); whoever restores or checks one uses
`take`. Both go the same way, so that no server can write what no reader would accept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from itertools import zip_longest
from typing import Final, NamedTuple

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, Ruleset
from leuthen.play.dice import Dice, Odds
from leuthen.play.proof import protocol
from leuthen.play.proof.protocol import BETWEEN, LONGEST_CHAIN, NO_LINK, Signer, is_plain, is_word

TITLE: Final = "leuthen proof 1"
WHY_CHAIN: Final = ("first", "device", "lost", "used-up")
WHY_BARE: Final = ("program", "lost")
STRICT: Final = {False: "strict no", True: "strict both"}
"""By whether a die waits for a new link of both seats, as far as they give any."""
BACK: Final = "back"
"""Behind a line by which the side that has acted takes back the order whose die waits: it waits no longer."""
_CHAIN_DIGITS: Final = 3
"""Of the number of a chain: no seat has a thousand devices."""
OPENING: Final = 4
"""Lines that begin a proof."""
DIE: Final = "roll"
"""The word of the record for a die, or two of which the sum counts."""
ONE: Final = 6
"""Cases of one die."""
TWO: Final = 36
"""Cases of two dice."""


class GivenLink(NamedTuple):
    """A link as a device sends it: chain and number (both from 1), the link, and the last block that it has seen."""

    chain: int
    number: int
    link: str
    seen: int
    head: str


class WaitingChance(NamedTuple):
    """Chance waits at a place for the links of some sides, since a block. `given` has those that came."""

    place: int
    sides: tuple[str, ...]
    block: int
    given: tuple[tuple[str, str], ...] = ()


class Links(NamedTuple):
    """A chain as far as it was told: its length, how many links were given, the last of them, and why it was made."""

    length: int
    given: int
    last: str
    why: str


class Ledger:
    """Heads, chains, links in force and places, as the lines so far leave them.

    `added` has the lines since it was copied or restored.
    """

    def __init__(self, header: Sequence[str], game: str, sides: tuple[str, str], opening: Sequence[str]) -> None:
        """`header`: the lines that begin the record, without checks; `opening`: the proof's (`opening_lines`)."""
        self.game = game
        self.sides = sides
        self.is_strict = opening[-1] == STRICT[True]
        self.added: list[str] = []
        self.heads = [protocol.genesis(header, opening)]
        """By the number of the block."""
        self.body = ""
        """Of the newest block."""
        self.chains: dict[str, tuple[Links, ...]] = dict.fromkeys(sides, ())
        self.places: dict[int, tuple[str, str]] = {}
        """The links that are fixed, by place."""
        self.waiting: WaitingChance | None = None
        self._in_force = dict.fromkeys(sides, NO_LINK)
        self._own = {side: (0, protocol.first_own(side)) for side in sides}
        self._open: list[str] = []
        """The lines since the last block."""
        self._group: list[str] = []
        self._owner = ""
        """Whose request brought the group about, or ""."""
        self._is_awaited = False
        """Whether the group began with the link that chance waited for."""

    def copy(self) -> Ledger:
        """The same ledger, to try something on."""
        twin = copy(self)
        twin.added, twin.heads, twin._open, twin._group = [], self.heads.copy(), self._open.copy(), self._group.copy()
        twin.chains, twin.places, twin._own = self.chains.copy(), self.places.copy(), self._own.copy()
        twin._in_force = self._in_force.copy()
        return twin

    # --- what is known -----------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> int:
        """How many blocks were closed."""
        return len(self.heads) - 1

    @property
    def head(self) -> str:
        """The head of the newest block."""
        return self.heads[-1]

    def has_chain(self, side: str) -> bool:
        """Whether a side gives links of its own."""
        return bool(self.chains[side])

    def links_at(self, place: int) -> tuple[str, str]:
        """The links that serve at a place: those fixed, or those in force now."""
        return self.places.get(place) or self._links_now()

    def _links_now(self) -> tuple[str, str]:
        first, second = self.sides
        return self._in_force[first], self._in_force[second]

    def own(self, side: str) -> tuple[int, str]:
        """How many groups a seat's requests have brought about, and its own head."""
        number, own = self._own[side]
        if self._owner != side:
            return number, own
        return number + 1, protocol.next_own(side, number + 1, own, self._group)

    def checkpoint(self, side: str = "") -> str:
        """The text that is signed for a seat, or for all."""
        seat = (side, *self.own(side)) if side else None
        return protocol.checkpoint(self.game, self.blocks, self.head, seat)

    def waits_for(self, place: int) -> tuple[str, ...]:
        """The sides whose links chance needs at a place."""
        if not self.is_strict or place in self.places or self._is_awaited:
            return ()
        return tuple(side for side in self.sides if self.has_chain(side))

    # --- verbs -------------------------------------------------------------------------------------------------------

    def give_chain(self, side: str, top: str, length: int, why: str) -> int:
        """A seat has made a chain; its number. Raises Invalid."""
        number = len(self.chains.get(side, ())) + 1
        self.take(f"chain {side} {number} {length} {top} {why}")
        return number

    def give_link(self, side: str, given: GivenLink) -> None:
        """A seat's request begins, with a link. Raises Invalid if it does not fit."""
        self.take(f"link {side} {given.chain} {given.number} {given.link} {given.seen} {given.head}")

    def begin(self, cause: str) -> None:
        """A group begins without a link: `table`, `brought`, or `bare SIDE WHY`. Raises Invalid."""
        self.take(cause)

    def add_line(
        self, number: int, commitment: str, place: int | None = None, cases: int = 0, answers: Sequence[str] = ()
    ) -> None:
        """A line of the record; of chance, with its place, of how many cases it was one, and the answers of a draw."""
        fell = "" if place is None else " ".join([f" {place} {cases}", *([BETWEEN.join(answers)] if answers else [])])
        self.take(f"line {number} {commitment}{fell}")

    def add_taken_back(self, number: int, commitment: str) -> None:
        """A line of the record by which a side takes back the order whose die waits."""
        self.take(f"line {number} {commitment} {BACK}")

    def end(self, words: str) -> None:
        """The words of the record's outcome."""
        self.take(f"end {protocol.commit_end(words)}")

    def close(self, place: int = -1, sides: Sequence[str] = ()) -> None:
        """Closes a block; with the place at which chance waits, and the sides for whose links, if any."""
        said = f"{place} {','.join(sides)}" if sides else ""
        head = protocol.next_head(self.blocks + 1, self.head, protocol.body_of(self._open), said)
        self.take(f"block {self.blocks + 1} {head}" + (f" waits {said}" if said else ""))

    # --- one line after another --------------------------------------------------------------------------------------

    def take(self, line: str) -> None:
        """Takes in the next line. Raises Invalid, saying what is wrong with it; nothing has changed then."""
        kind, *words = line.split(" ")
        takers = {"chain": self._take_chain, "link": self._take_link, "bare": self._take_bare, "line": self._take_line}
        if kind == "block":
            self._take_block(words)
        elif kind in takers:
            takers[kind](words)
            self._keep(line, words[0] if kind in ("chain", "link", "bare") else None)
        elif line in ("table", "brought"):
            self._is_awaited = False
            self._keep(line, "")
        elif kind == "end" and len(words) == 1 and is_word(words[0]):
            self._keep(line, None)
        else:
            raise Invalid(f"«{line[:60]}» is no line of a proof")
        self.added.append(line)

    def _keep(self, line: str, owner: str | None) -> None:
        """`owner` is that of the group which begins with the line; None if none begins."""
        if owner is not None:
            self._end_group()
            self._owner = owner
        self._open.append(line)
        self._group.append(line)

    def _end_group(self) -> None:
        if self._owner:
            self._own[self._owner] = self.own(self._owner)
        self._owner, self._group = "", []

    def _take_chain(self, words: Sequence[str]) -> None:
        side, number, length, top, why = self._words(words, 5)
        self._expect_side(side)
        if number_in(number, _CHAIN_DIGITS) != len(self.chains[side]) + 1:
            raise Invalid(f"chain {number[:9]} of {side} is not its next")
        if not (1 <= number_in(length) <= LONGEST_CHAIN and is_word(top) and why in WHY_CHAIN):
            raise Invalid(
                f"this is no chain: 1 to {LONGEST_CHAIN} links, a top of 64 digits, and {', '.join(WHY_CHAIN)}"
            )
        self.chains[side] = (*self.chains[side], Links(number_in(length), 0, top, why))
        self._in_force[side] = top
        self._is_awaited = False

    def _take_link(self, words: Sequence[str]) -> None:
        side, chain, number, link, seen, head = self._words(words, 6)
        self._expect_side(side)
        self._expect_seen(side, number_in(seen), head)
        self._expect_link(side, number_in(chain), number_in(number), link)
        chains, at = self.chains[side], number_in(chain) - 1
        told = chains[at]._replace(given=number_in(number), last=link)
        self.chains[side] = (*chains[:at], told, *chains[at + 1 :])
        self._in_force[side] = link
        self._is_awaited = False
        if self.waiting is not None and side in self.waiting.sides and number_in(seen) >= self.waiting.block:
            self._answer(self.waiting, side, link)

    def _answer(self, waiting: WaitingChance, side: str, link: str) -> None:
        """Chance has the link of a side. When it has all, these are in force, whatever else was given meanwhile."""
        given = (*waiting.given, (side, link))
        self.waiting = waiting._replace(sides=tuple(other for other in waiting.sides if other != side), given=given)
        if not self.waiting.sides:
            self._in_force.update(given)
            self.places.setdefault(waiting.place, self._links_now())
            self.waiting, self._is_awaited = None, True

    def _expect_seen(self, side: str, seen: int, head: str) -> None:
        if not 0 <= seen <= self.blocks:
            raise Invalid(f"{side} has seen block {seen}, and there are only {self.blocks}")
        if self.heads[seen] != head:
            raise Invalid(f"{side} was shown another game: the head of its block {seen} is not that of this one")
        if self.waiting is not None and side in self.waiting.sides and seen < self.waiting.block:
            raise Invalid(f"a die waits for the link of {side}, and this one was given before that was told")

    def _expect_link(self, side: str, chain: int, number: int, link: str) -> None:
        if not 1 <= chain <= len(self.chains[side]):
            raise Invalid(f"{side} has no chain {chain}")
        told = self.chains[side][chain - 1]
        if number != told.given + 1 or number > told.length:
            what = "was given before" if number <= told.given else "is not the next"
            raise Invalid(f"link {number} of chain {chain} of {side} {what}: {told.given} of {told.length} were given")
        if not is_word(link) or protocol.before(link) != told.last:
            raise Invalid(f"link {number} does not fit chain {chain} of {side}")

    def _take_bare(self, words: Sequence[str]) -> None:
        side, why = self._words(words, 2)
        self._expect_side(side)
        if why not in WHY_BARE:
            raise Invalid(f"«{why[:20]}» is no reason for a request without a link: {', '.join(WHY_BARE)}")
        self._is_awaited = False

    def _take_line(self, words: Sequence[str]) -> None:
        is_back = list(words[2:]) == [BACK]
        if (len(words) in (0, 1, 3) and not is_back) or number_in(words[0]) < 1 or not is_word(words[1]):
            raise Invalid("a line of the record has a number and a commitment, and of chance a place and its cases")
        if not self._group:
            raise Invalid("a line of the record stands here that nobody has brought about")
        if len(words) == 2:
            self._is_awaited = False  # somebody may have acted
        if is_back:
            if self.waiting is None or not self._owner:
                raise Invalid("an order is taken back here as if a die waited")
            self.waiting = None
        elif len(words) > 2:
            place, cases = number_in(words[2]), number_in(words[3])
            if cases < 1 or place < 0:
                raise Invalid("chance answers at a place, with one of some cases")
            answers = answers_in(words[4:])
            is_list = len(answers) == len(set(answers)) == cases and all(map(is_plain, answers))
            if answers and not is_list:
                raise Invalid(f"a draw of {cases} cases lists {cases} answers, each once, in plain text")
            self.places.setdefault(place, self.links_at(place))

    def _take_block(self, words: Sequence[str]) -> None:
        number, head, *rest = self._words(words, 5 if len(words) == 5 else 2)
        if number_in(number) != self.blocks + 1:
            raise Invalid(f"block {number[:9]} stands where block {self.blocks + 1} is expected")
        said, waiting = "", None
        if rest:
            said, waiting = self._read_waits(rest)
        if head != protocol.next_head(self.blocks + 1, self.head, protocol.body_of(self._open), said):
            raise Invalid(f"the head of block {number} does not bind the lines above it")
        self._end_group()
        self.body, self._open, self._is_awaited = protocol.body_of(self._open), [], False
        self.heads.append(head)
        self.waiting = waiting or self.waiting

    def _read_waits(self, words: Sequence[str]) -> tuple[str, WaitingChance]:
        waits, place, said = words
        sides = tuple(said.split(","))
        for side in sides:
            self._expect_side(side)
        is_right = all(self.has_chain(side) for side in sides) and len(set(sides)) == len(sides)
        if waits != "waits" or not self.is_strict or number_in(place) < 0 or self.waiting or not is_right:
            raise Invalid("chance waits at a strict table, at one place, for sides that have a chain")
        return f"{place} {said}", WaitingChance(number_in(place), sides, self.blocks + 1)

    def _words(self, words: Sequence[str], number: int) -> Sequence[str]:
        if len(words) != number:
            raise Invalid(f"a line of a proof has {number} words here, not {len(words)}")
        return words

    def _expect_side(self, side: str) -> None:
        if side not in self.sides:
            raise Invalid(f"«{side[:20]}» does not play: {', '.join(self.sides)}")


def opening_lines(commitment: str, public: str, *, is_strict: bool) -> list[str]:
    """The lines that begin a proof: what is told of the secret, the server's public key, and whether it is strict."""
    return [TITLE, f"commit {commitment}", f"key {public}", STRICT[is_strict]]


def restore(
    header: Sequence[str], game: str, sides: tuple[str, str], opening: Sequence[str], lines: Sequence[str]
) -> Ledger:
    """The ledger that these lines leave. Raises Invalid."""
    ledger = Ledger(header, game, sides, opening)
    for line in lines:
        ledger.take(line)
    ledger.added = []
    return ledger


def answers_in(words: Sequence[str]) -> tuple[str, ...]:
    """The answers that the last words of a line list, or none."""
    return tuple(" ".join(words).split(BETWEEN)) if words else ()


def number_in(text: str, digits: int = 9) -> int:
    """A number as a proof writes it; -1 if it is none."""
    is_plain = text.isascii() and text.isdigit() and len(text) <= digits and (text == "0" or text[0] != "0")
    return int(text) if is_plain else -1


# --- its dice ---------------------------------------------------------------------------------------------------------


class SharedDice(Dice):
    """The dice of a game that can be checked. `cases` has, by place, of how many cases each answer was one.

    `links_at` gives the links in force at a place, which are fixed when it is first asked for (`Ledger.links_at`).
    """

    __slots__ = ("_game", "_links_at", "cases")

    def __init__(self, secret: bytes, game: str, links_at: Callable[[int], tuple[str, str]]) -> None:
        super().__init__(secret)
        self._game = game
        self._links_at = links_at
        self.cases: dict[int, int] = {}

    def below(self, bound: int, place: int) -> int:
        """An even draw from 0 to `bound` - 1. Raises ValueError for a bound below 1."""
        self.cases[place] = bound
        return protocol.number_at(self._key, self._game, place, self._links_at(place), bound)


def shown(cases: int, number: int) -> int:
    """The die that a number of so many cases makes, or the sum of two dice: 2 is one case, 3 two, and so on."""
    if cases == ONE:
        return number + 1
    return next(total for total in range(2, 13) if number < sum(6 - abs(7 - lower) for lower in range(2, total + 1)))


def answers_of(ruleset: Ruleset, state: object, odds: Odds[Action]) -> tuple[str, ...]:
    """All answers of a draw as the record would write them, in the order of the cases.

    None for dice, which need no list, and where one answer is more probable than another.
    """
    answers = tuple(ruleset.format_action(state, CHANCE, answer) for answer, _ in odds)
    is_even = len({chance for _, chance in odds}) == 1
    return answers if is_even and answers[0].split(" ")[0] != DIE else ()


# --- a game as it is stored -------------------------------------------------------------------------------------------


class NotBound(Invalid):
    """What is stored is not what the proof has bound.

    `line` is that of the record, from 1; 0 where the proof itself was changed, or a key. The message tells no secret.
    """

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.line = line


def expect_bound(
    game: str, secret: bytes, signing: bytes, proof: Sequence[str], lines: Sequence[tuple[int, str, str]]
) -> None:
    """Raises NotBound for the first stored line that differs from what its proof has bound.

    `secret` is that of the dice, `signing` the server's own key; each line is its number from 0, an actor and a text.
    The header and the first block, which binds it, are left to the ledger.
    """
    key = Signer(signing).public if len(signing) == len(secret) else ""
    if list(proof[1 : OPENING - 1]) != [f"commit {protocol.seal_secret(secret, game)}", f"key {key}"]:
        raise NotBound("the keys are not those of its proof")
    bound = [line.split(" ", 3) for line in proof[OPENING:] if line.startswith("line ")]
    for number, (words, line) in enumerate(zip_longest(bound, lines), 1):
        if words is None or line is None:
            what = "missing" if line is None else "not in its proof"
            raise NotBound(f"line {number} of its record is {what}", number)
        at, actor, text = line
        ours = ["line", str(number), protocol.commit_line(secret, game, number, actor, text)]
        if at != number - 1 or words[:3] != ours:
            raise NotBound(f"line {number} of its record is not what was sealed when it was given", number)
    _expect_blocks(proof[OPENING:])


def _expect_blocks(proof: Sequence[str]) -> None:
    """Each block after the first binds the lines above it."""
    number, head, body = 0, "", list[str]()
    for at, line in enumerate(proof, OPENING + 1):
        if not line.startswith("block "):
            body.append(line)
            continue
        words, number = line.split(" ", 4), number + 1
        said = " ".join(words[4:])
        if number > 1 and words[1:3] != [str(number), protocol.next_head(number, head, protocol.body_of(body), said)]:
            raise NotBound(f"line {at} of its proof was changed, or one of the lines that it binds")
        head, body = words[2] if len(words) > 2 else "", []
