"""The English of orders in the making: what may be done, by decision, and what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.campaigns.decisions import Decision

NOTHING_MORE: Final[Mapping[str, str]] = {"leader": "nobody else", "path": "to here"}
"""The end of a list, by the kind of its questions."""
STAYS: Final = "stay in this hex"
"""The end of a way that has not begun."""

WORDS: Final[Mapping[str, str]] = {
    "done": "End this",
    "march": "March",
    "sortie": "Make a sortie",
    "go": "March on",
    "halt": "End the march here",
    "out": "Come out into the field",
    "seize": "Take the place",
    "absorb": "Absorb SP",
    "fill": "Load from the depot",
    "leave": "Leave TP in the garrison",
    "take": "Take TP out of the garrison",
    "drop": "Leave somebody here",
    "force": "Try a forced march",
    "attack": "Attack",
    "hold": "Stay as it is",
    "react": "Try to react",
    "move": "Go",
    "join": "Come out and join in",
    "declare": "Declare",
    "lose": "Spread the losses",
    "withdraw": "Break the battle off",
    "retreat": "Retreat",
    "besiege": "Roll for a siege",
    "assign": "Place TP",
    "appear": "Place the leader",
    "load": "Load from a wagon",
    "build": "Build a depot of a wagon",
    "remove": "Remove a depot",
    "create": "Make a wagon",
    "feed": "Pay SP",
    "starve": "Do not pay",
    "arrange": "Distribute TP anew",
    "hand": "Hand SP over",
    "name": "Name who is freed",
    "claim": "Claim a leader",
    "propose": "Propose an exchange",
    "ransom": "Ransom a leader",
    "agree": "Agree",
    "refuse": "Refuse",
    "quarter": "Go into winter quarters",
    "transfer": "Transfer TP",
    "found": "Set up a depot",
    "bring": "Bring a leader",
    "dismiss": "Dismiss a leader",
    "inside 0": "in the field",
    "inside 1": "inside the place",
    "forage 0": "pay the SP",
    "forage 1": "go hungry: 2 MP fewer, no forced march, no reaction",
    "concentrate 0": "no concentration",
    "concentrate 1": "concentrate: +1 on all combat rolls",
    "intense 0": "ordinary intensity",
    "intense 1": "high intensity: own roll +2, the enemy's +1",
}
"""What may be done, and what a flag says."""

SPECIAL: Final[Mapping[tuple[str, str], str]] = {
    ("orders", "done"): "No more with this chit",
    ("marching", "halt"): "End the march here",
    ("meeting", "hold"): "Do not attack: share the hex",
    ("rousing", "attack"): "Try to attack: a die decides",
    ("rousing", "hold"): "Let them be",
    ("reaction-window", "hold"): "Do not react",
    ("reacting", "hold"): "Stay where it is",
    ("joining", "hold"): "Stay inside",
    ("declaring", "hold"): "Declare nothing",
    ("leaving", "hold"): "Fight on",
    ("forced-marches", "done"): "Nobody forces his march",
    ("siege-step", "done"): "No more sieges",
    ("passing", "done"): "Nothing more here",
    ("occupying", "leave"): "Put a garrison in",
    ("occupying", "done"): "No more for the garrison",
    ("supply-step", "done"): "End the supply step",
    ("arranging", "done"): "End the turn",
    ("proposing", "done"): "No exchange",
    ("ransoming", "done"): "Ransom nobody",
    ("council", "done"): "End this council",
}
"""The same where a decision has words of its own."""

ASKED: Final[Mapping[str, str]] = {
    "do": "What to do",
    "leader": "Who leads",
    "companions": "Who goes along",
    "leaders": "Who",
    "forage": "Far from depots",
    "inside": "In the field or inside",
    "hex": "Where",
    "nation": "Whose TP",
    "wagon": "From what",
    "giver": "Who gives",
    "taker": "Who takes",
    "points": "How many TP",
    "concentrate": "Concentration",
    "intense": "Intensity",
}

ASKED_FOR: Final[Mapping[tuple[str, str], str]] = {
    ("sortie", "leader"): "Who attacks the besieger",
    ("force", "leader"): "Who forces his march",
    ("react", "leader"): "Who reacts",
    ("react", "companions"): "Who goes with him",
    ("leave", "leader"): "Who leaves TP",
    ("take", "leader"): "Who takes TP",
    ("load", "leader"): "Who loads",
    ("load", "wagon"): "From which wagon",
    ("load", "points"): "How many SP",
    ("absorb", "points"): "How many SP",
    ("hand", "points"): "How many SP",
    ("build", "wagon"): "Of which wagon",
    ("join", "leaders"): "Who comes out",
    ("drop", "companions"): "Who stays",
    ("besiege", "hex"): "Which siege",
    ("create", "hex"): "At which depot",
    ("remove", "hex"): "Which depot",
    ("found", "hex"): "At which place",
    ("quarter", "hex"): "At which place",
    ("arrange", "hex"): "Which force",
    ("assign", "leader"): "To whom",
    ("appear", "leader"): "Who",
    ("claim", "leader"): "Who returns",
    ("ransom", "leader"): "Whom to ask back",
    ("bring", "leader"): "Who comes",
    ("bring", "hex"): "To which place",
    ("dismiss", "leader"): "Who goes",
    ("propose", "points"): "How many prisoners",
}
"""The question by the kind of action."""


def word_for(frame: Decision, word: str) -> str:
    """What an answer is called in a decision."""
    tag = str(frame.__struct_config__.tag)
    return SPECIAL.get((tag, word)) or WORDS.get(word, word)


def question(kind: str, name: str, index: int | None) -> str:
    """What is asked for an action of a kind."""
    if name == "path":
        return f"The way, hex {(index or 0) + 1}"
    return ASKED_FOR.get((kind, name)) or ASKED.get(name, name)
