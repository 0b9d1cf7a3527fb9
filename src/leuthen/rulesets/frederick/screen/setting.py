"""The constant data for a client, the tables of the game, and the table cells of rolls."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from operator import add
from typing import Final

from leuthen.engine.ruleset import NOBODY
from leuthen.engine.ruleset_base import RulesetBase
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.rules.c04_sequence import FIRST_YEAR, LAST_TURN
from leuthen.rulesets.frederick.rules.c05_council import FRENCH, LONELY, PARTNERS, POINTS, SAXON, WEARY
from leuthen.rulesets.frederick.rules.c05_council import MODIFIERS as SUBSIDY_MODIFIERS
from leuthen.rulesets.frederick.rules.c11_allegiance import HIGHEST, LOWEST
from leuthen.rulesets.frederick.rules.c12_victory import AUSTRIAN_SILESIA, GREAT_NEEDED, SILESIA
from leuthen.rulesets.frederick.rules.o05_forces import MOST
from leuthen.rulesets.frederick.rules.o09_combat import CRUSHING, SERIOUS, commander_fate
from leuthen.rulesets.frederick.rules.o12_fortresses import CAUGHT
from leuthen.rulesets.frederick.rules.o13_siege import GREAT, MOST_DEFENCE, strength_modifier
from leuthen.screen import values as cards
from leuthen.screen.figures import Rows, make_card, plus, scenario_card, signed, theatre_cards, towns_of
from leuthen.wargame.board import Hexside, hex_name
from leuthen.wargame.strength import PowerId
from leuthen.wargame.war import half_month

DIE: Final = range(1, 7)
SIEGE_WORDS: Final = {
    "repulse": "repulse: the besieger loses 1 SP",
    "nothing": "nothing",
    "honours": "honours of war: the garrison marches off (O13.3)",
    "surrender": "surrender (O13.4)",
}


def column_heading(data: model.GameData, column: int) -> str:
    """Return the ratios of a column of the combat table: "66–99"."""
    return f"{column}–{min((other for other in data.columns if other > column), default=CRUSHING) - 1}"


def siege_rows(data: model.GameData) -> list[tuple[str, str]]:
    """Return the lines of the siege table: heading and result (O13.2)."""
    lowest = [low for low, _ in data.siege]
    headings = [f"{low}–{high - 1}" if high - 1 > low else str(low) for low, high in pairwise(lowest)]
    headings = [f"{lowest[1] - 1} or less", *headings[1:], f"{lowest[-1]} or more"]
    return list(zip(headings, (result for _, result in data.siege), strict=True))


def attrition_rows(data: model.GameData) -> list[tuple[str, int]]:
    """Return the lines of the attrition table: heading and per cent (O10.8)."""
    headings = [*map(str, range(1, len(data.attrition))), f"{len(data.attrition)} or more"]
    return list(zip(headings, data.attrition, strict=True))


def combat_spot(data: model.GameData, result: int, ratio: int) -> cards.Spot:
    """Return the cell for a battle (O9.3, O9.9)."""
    column = max(lowest for lowest in data.columns if lowest <= ratio)
    return cards.Spot("combat", signed(result), column_heading(data, column))


def siege_spot(data: model.GameData, total: int) -> cards.Spot:
    """Return the line for a siege roll (O13.2)."""
    return cards.Spot("siege", siege_rows(data)[max(0, sum(total >= low for low, _ in data.siege) - 1)][0])


def attrition_spot(data: model.GameData, roll: int) -> cards.Spot:
    """Return the line for an attrition roll (O10.8)."""
    return cards.Spot("attrition", attrition_rows(data)[min(roll, len(data.attrition)) - 1][0])


def initiative_spot(table: str, die: int, initiative: int) -> cards.Spot:
    return cards.Spot(table, str(die), f"initiative {initiative}")


SIDE_WORDS: Final = ("Prussia", "Austria", "neutral")


def field_tables(data: model.GameData) -> Iterator[cards.TableCard]:
    """Yield the tables of a campaign: marches, battles, sieges, attrition (O5–O13)."""
    river, pass_ = Hexside("river", False, "", False).cost, Hexside("", True, "pass", False).cost
    initiatives = range(1 + max(leader.initiative for leader in data.leaders))
    columns = ("Die", *(f"initiative {initiative}" for initiative in initiatives))

    def by_initiative(cell: Callable[[int, int], object]) -> Rows:
        return ((die, *(cell(die, initiative) for initiative in initiatives)) for die in DIE)

    costs = (
        ("the hex itself", "1"),
        ("over a river hexside", plus(river)),
        ("over a pass hexside", plus(pass_)),
        ("the hex is in an enemy zone of control", "+1"),
        ("overwhelming attack", "+1"),
        ("ridge without a pass, water, off the theatre", "barred"),
    )
    note = "A force may always move one hex if die + initiative is 1 or more (O5.6)."
    yield make_card("terrain", "Cost of a hex", "O5.3", ("Entering", "MP"), costs, note)
    sums = partial(by_initiative, lambda die, initiative: min(MOST, die + initiative))
    yield make_card("march", "Movement points", "O5.2", columns, sums(), "In winter, on turns 15 to 18, 1 less (O5.5).")
    rows = by_initiative(lambda die, bonus: f"{min(MOST, die + bonus)}{' *' if die + bonus > MOST else ''}")
    costly = "* costs the force 1 SP.", "In winter 1 MP less; the sum is compared with 6 before that (O6.3)."
    yield make_card("force-march", "Force march", "O6.1", columns, rows, *costly)
    yield _combat(data)
    rows = ((die, commander_fate(die, lost=True), commander_fate(die, lost=False)) for die in DIE)
    yield make_card("commander", "Commander after an L", "O8.3", ("Die", "battle lost", "battle not lost"), rows)
    yield make_card("retreat", "Retreat in hexes", "O9.7", columns, sums())
    rows = ((die, "captured" if die <= CAUGHT else "escapes") for die in DIE)
    note = "He escapes to the nearest friendly stack with SP that is not besieged; without one, he is captured."
    yield make_card("stray", "Leader without SP among enemies", "O5.10", ("Die", "fate"), rows, note)
    target = model.GameOptions().morale_target
    note = f"Die + printed initiative: {target} or more recovers, unless the recovery option says otherwise."
    yield make_card("morale", "Recovery of morale", "O11.2", columns, by_initiative(add), note)
    rows = ((heading, SIEGE_WORDS[result]) for heading, result in siege_rows(data))
    four, one = plus(strength_modifier(4, 1)), plus(strength_modifier(1, 1))
    notes: tuple[str, ...] = (
        f"Defence bonus of the commander inside: −1 or −2 (at most −{MOST_DEFENCE}).",
        f"Besieger has at least 4 SP for each SP inside: {four}; fewer than 2: {one}.",
        f"Fortress of {GREAT} VP: −1. Winter: −1. Each earlier roll in this siege: +1.",
    )
    yield make_card("siege", "Siege", "O13.2", ("Die, modified", "result"), rows, *notes)
    rows = ((heading, f"{percent} %" if percent else "none") for heading, percent in attrition_rows(data))
    notes = (
        "+1 for every earlier turn out of supply in a row.",
        "Winter: stacks in supply roll too; the others have +1 (O14.2).",
        "Rounded, halves up; at least 1 SP from the second turn on, and at 10 % or more.",
        "At the year's end field stacks out of supply roll once more with +2 (O14.6).",
    )
    yield make_card("attrition", "Attrition", "O10.8", ("Die, modified", "loss"), rows, *notes)


def _combat(data: model.GameData) -> cards.TableCard:
    def loss(percent: int) -> str:
        return f"{percent}{'L' if percent >= SERIOUS else ''}"

    rows = [
        (signed(die), *("/".join(map(loss, data.combat[die, column])) for column in data.columns))
        for die in sorted({die for die, _ in data.combat})
    ]
    columns = ("Die", *(column_heading(data, column) for column in data.columns))
    notes = (
        "Loss of the attacker / of the defender in per cent of its own SP, rounded, halves up (O9.5).",
        "Columns: 100 × attacker's SP / defender's SP, rounded down (O9.3); 400 or more, under 25: no die (O9.10).",
        "Die + attack bonus − defence bonus − 2 in a mountain hex, from −1 to 9 (O9.4).",
        "Score: SP that the enemy lost + own initiative; the higher wins and takes the difference prisoner (O9.6).",
        "L: the commander rolls (O8.3).",
    )
    return make_card("combat", "Combat results", "O9.9", columns, rows, *notes)


def war_tables(data: model.GameData) -> Iterator[cards.TableCard]:
    """Yield the tables of the time between campaigns, the fortresses, victory and the set-up (C1–C12)."""
    powers, minors = data.powers, tuple(data.powers[power].name for power in model.MINORS)
    rows: Rows = (
        (p.name, p.limit or "–", p.supply, p.most_leaders or "–", "yes" if p.surrenders else "no") for p in powers
    )
    measures = "SP at most (C7.5)", "supply path (O10.2)", "leaders at most (C8.5)", "surrenders (C11.2)"
    yield make_card("powers", "The powers", "C1.1", ("Power", *measures), rows)
    yield _diplomacy(data, minors)
    yield _commitment(data, minors)
    rows = ((die, new, sack) for die, (new, sack) in enumerate(data.leader_table, 1))
    note = "A power keeps its only leader (C8.3); a power without one always draws (C8.4)."
    yield make_card("leaders", "New leaders", "C8.1", ("Die", "new", "sacked"), rows, note)
    notes = [*(f"After {year}: {plus(points)}." for year, points in SUBSIDY_MODIFIERS.items()), "At least 1 (C10.2)."]
    yield make_card("subsidy", "British Subsidy", "C10.1", ("Die, modified", "RP"), enumerate(data.subsidy, 1), *notes)
    rows = (
        (
            fort.name,
            hex_name(fort.hex),
            powers[fort.power].name if fort.power != model.NO_POWER else "–",
            model.land(fort.province),
            fort.vp,
            "yes" if fort.great else "",
            powers[fort.star].name if fort.star != model.NO_POWER else "",
        )
        for fort in sorted(data.fortresses.values(), key=lambda fort: (fort.power % (len(model.POWERS) + 1), fort.hex))
    )
    columns = ("Fortress", "hex", "home of", "province", "VP", "one of the five", "star of C5.5")
    note = "In the German States VP count only with France and Hanover on different sides (C9.3)."
    yield make_card("fortresses", "Fortresses", "O12.1", columns, rows, note)
    great, silesia = f"{GREAT_NEEDED} of the five great fortresses", f"{AUSTRIAN_SILESIA} fortresses of Silesia or more"
    rows = (
        ("decisive, after each year from 1757", "more than double the opponent's", great),
        ("at the end: Prussian side", "more than the opponent's", "owns every fortress of Silesia"),
        ("at the end: Austrian side", "more than the opponent's", silesia),
        ("at once", "–", "the other major surrenders (C12.1)"),
    )
    yield make_card("victory", "Victory", "C12.3", ("Victory", "VP", "and"), rows)
    rows = (
        (
            powers[force.power].name,
            "in secret" if force.hex < 0 else hex_name(force.hex),
            "" if force.hex < 0 else "inside" if force.inside else "in the field",
            force.sp,
            ", ".join(data.leaders[number].name for number in force.leaders),
            force.depots or "",
        )
        for force in data.scenarios[model.CAMPAIGN].forces
    )
    yield make_card("setup", "Set-up", "C2", ("Power", "hex", "where", "SP", "leaders", "depots"), rows)


def _diplomacy(data: model.GameData, minors: tuple[str, ...]) -> cards.TableCard:
    def cell(roll: int, power: PowerId) -> str:
        return f"{SIDE_WORDS[data.diplomacy[roll, power]]}{'*' if (roll, power) in data.stars else ''}"

    rows = ((signed(roll), *(cell(roll, power) for power in model.MINORS)) for roll in range(LOWEST, HIGHEST + 1))
    saxon = (
        f"{data.powers[power].name}, {SIDE_WORDS[side]} invaded Saxony in 1756: {plus(points)}."
        for (power, side), points in SAXON.items()
    )
    notes = (
        f"Prussia has {POINTS[0]} Diplomacy Points, Austria {POINTS[1]} (C5.1).",
        "Each Austrian point on the power +1, each Prussian −1 (C5.3).",
        *saxon,
        *(f"Hanover, France is on {SIDE_WORDS[side]}'s side: {plus(points)}." for side, points in enumerate(FRENCH)),
        "Reaction to a violation: only +2 if by the Prussian side, −2 if by the Austrian side (C5.7).",
        "* opens places of re-deployment and the German States (C5.5).",
    )
    return make_card("diplomacy", "Diplomacy", "C5.4", ("Roll", *minors), rows, *notes)


def _commitment(data: model.GameData, minors: tuple[str, ...]) -> cards.TableCard:
    def cell(roll: int, power: PowerId) -> str:
        percent, switches = data.commitment[roll, power]
        return f"{plus(percent)}{' *' if switches else ''}"

    powers = data.powers
    rolls = sorted({roll for roll, _ in data.commitment})
    rows = ((signed(roll), *(cell(roll, power) for power in model.MINORS)) for roll in rolls)
    notes = (
        "Change of the power's SP on the map in per cent, rounded up (C7.4).",
        "The table of the powers gives the most SP of each (C7.5).",
        *(f"The coming year is {year}: {plus(points)} (C7.3)." for year, points in WEARY.items()),
        *(f"{powers[one].name}, {powers[other].name} is neutral: {plus(LONELY)}." for one, other in PARTNERS.items()),
        "* Russia goes over to the other side (C7.6).",
    )
    return make_card("commitment", "Commitment", "C7.2", ("Roll", *minors), rows, *notes)


PACE: Final = 4
"""Estimated minutes per turn (docs/usability.md)."""
TITLE: Final = "Frederick: the Seven Years War, 1756 to 1762"
LETTERS: Final = ("P", "A", "F", "H", "R", "Sw", "Sx", "E")
"""The letters of the powers on counters."""
LAST_YEAR: Final = 1762


WINS: Final = (
    "hold more VP than Austria and all of Silesia",
    f"hold more VP than Prussia and {AUSTRIAN_SILESIA} fortresses of Silesia",
)
"""How each side wins a war that has no par (C13.1)."""
EARLY: Final = f"More than double the VP and {GREAT_NEEDED} great fortresses win at once after any year from 1757."
SUPPLY: Final = "Build a depot before you march far. The layer Supply shows who will starve."
WINTER: Final = "From early November on, armies without a fortress or depot melt away."
HINTS: Final = (
    (
        "You move first each turn: beat one Austrian army before another joins it.",
        "Austrian field armies slow you in the six hexes around them and cut supply there.",
    ),
    (
        "Wait for Frederick in mountains: the attacker's die loses 2 there.",
        "Your field armies cut Prussian supply in the six hexes around them.",
    ),
)


def _hints(plan: model.Scenario) -> cards.Hints:
    """Return three hints for each side; the last depends on the length and season of the scenario."""
    last = WINTER if plan.last_turn >= model.FIRST_WINTER_TURN else SUPPLY
    if plan.area is None and plan.last > plan.year:
        last = EARLY
    return (*HINTS[0], last), (*HINTS[1], last)


RATINGS: Final = {"rank": "rank", "initiative": "initiative", "attack bonus": "attack", "defence bonus": "defence"}
"""Words for the fields of a leader."""


def make_setting(game: RulesetBase[State, Draft], data: model.GameData) -> cards.Setting:
    turns = range(1, LAST_TURN + 1)
    forts = [(fort.name, here) for here, fort in data.fortresses.items()]
    modern = [(model.today(data, name), here) for name, here in data.places.items()]
    return cards.Setting(
        ruleset=game.name,
        title=TITLE,
        version=game.version,
        sides=(data.powers[0].name, data.powers[1].name),
        powers=tuple(
            cards.PowerCard(power.name, LETTERS[n], NOBODY if n in model.MINORS else n, n not in model.MINORS)
            for n, power in enumerate(data.powers)
        ),
        leaders=tuple(map(_leader, data.leaders)),
        fortresses=tuple(
            cards.FortressCard(
                fort.name,
                hex_name(here),
                model.land(fort.province),
                fort.power,
                "one of the five" if fort.great else "Silesian" if fort.province == SILESIA else "",
                fort.vp,
                fort.great,
            )
            for here, fort in data.fortresses.items()
        ),
        towns=tuple(towns_of((*forts, *data.places.items(), *modern))),
        tables=(*field_tables(data), *war_tables(data)),
        layers=LAYER_CARDS,
        scenarios=tuple(
            scenario_card(
                s.name, s.text, (s.year, s.turn), (s.last, s.last_turn), LAST_TURN, s.par, PACE, _hints(s), WINS
            )
            for s in data.scenarios.values()
        ),
        options=tuple(cards.OptionCard(name, values, model.EXPLAINED[name]) for name, values in game.options.items()),
        years=(FIRST_YEAR, LAST_YEAR),
        turns=tuple(map(half_month, turns)),
        winter=tuple(turn - 1 for turn in turns if turn >= model.FIRST_WINTER_TURN),
        theatres=theatre_cards(data.board),
    )


def _leader(leader: model.Leader) -> cards.LeaderCard:
    facts = tuple([(word, str(getattr(leader, name))) for word, name in RATINGS.items()])
    return cards.LeaderCard(leader.name, leader.power, leader.ratings, facts)


LAYER_CARDS: Final = (
    cards.LayerCard(
        "supply",
        "s",
        "Supply",
        "Sources, links, paths and hexes in supply, and stacks that will roll for attrition (O10)",
    ),
    cards.LayerCard("zones", "z", "Zones of control", "The zones of Austrian field stacks (O7)"),
    cards.LayerCard(
        "reach",
        "r",
        "Reach of a stack",
        "Hexes that a stack can reach, with the MP and the lowest die needed (O5)",
        True,
    ),
    cards.LayerCard("threat", "e", "Enemy reach", "Hexes that enemy stacks can reach with their best die (O5, O6)"),
    cards.LayerCard("holders", "v", "Holders and VP", "Owner, garrison and VP of each fortress (O12, C12)"),
)
