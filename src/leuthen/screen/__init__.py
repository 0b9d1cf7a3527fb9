"""What a table shows of a game, in words that every rule set shares.

A rule set turns views, events and decisions into these values; a client draws them and knows no rule. Everything that
shows a position is made from a `view`, so that it can show no secret. Hexes stand here as players write them («1623»).
"""

from __future__ import annotations

from leuthen.screen.answers import About, Odds, OddsCase, Part, Spread
from leuthen.screen.basics import Place, Reason, Shown
from leuthen.screen.battles import BattleReport, Host
from leuthen.screen.form import Barred, Choice, Field, Form, PartialOrder, Reached
from leuthen.screen.layer import Layer, Left, Shade, Trace
from leuthen.screen.log_entries import LogEntry, Luck, Spot
from leuthen.screen.presenter import Presenter
from leuthen.screen.scene import (
    Badge,
    Chip,
    Contender,
    Entry,
    Holding,
    Marker,
    Meter,
    Muster,
    Piece,
    Scene,
    Score,
    Stage,
    Status,
    Token,
    Tray,
    Versus,
)
from leuthen.screen.setting import (
    FortressCard,
    LayerCard,
    LeaderCard,
    OptionCard,
    PowerCard,
    ScenarioCard,
    Setting,
    TableCard,
    Town,
    scenario_card,
)
from leuthen.screen.story import CommanderRecord, Story, Tidings, YearStory

__all__ = [
    "About",
    "Badge",
    "Barred",
    "BattleReport",
    "Chip",
    "Choice",
    "CommanderRecord",
    "Contender",
    "Entry",
    "Field",
    "Form",
    "FortressCard",
    "Holding",
    "Host",
    "Layer",
    "LayerCard",
    "LeaderCard",
    "Left",
    "LogEntry",
    "Luck",
    "Marker",
    "Meter",
    "Muster",
    "Odds",
    "OddsCase",
    "OptionCard",
    "Part",
    "PartialOrder",
    "Piece",
    "Place",
    "PowerCard",
    "Presenter",
    "Reached",
    "Reason",
    "ScenarioCard",
    "Scene",
    "Score",
    "Setting",
    "Shade",
    "Shown",
    "Spot",
    "Spread",
    "Stage",
    "Status",
    "Story",
    "TableCard",
    "Tidings",
    "Token",
    "Town",
    "Trace",
    "Tray",
    "Versus",
    "YearStory",
    "scenario_card",
]  # fmt: skip
