"""What a table shows of a game, in words that every rule set shares.

A rule set turns views, events and decisions into these values; a client draws them and knows no rule. Everything that
shows a position is made from a `view`, so that it can show no secret. Hexes stand here as players write them («1623»).
"""

from __future__ import annotations

from leuthen.screen.answers import About as About
from leuthen.screen.answers import Odds as Odds
from leuthen.screen.answers import OddsCase as OddsCase
from leuthen.screen.answers import OddsResult as OddsResult
from leuthen.screen.answers import Spread as Spread
from leuthen.screen.basics import Objection as Objection
from leuthen.screen.basics import Place as Place
from leuthen.screen.basics import Shown as Shown
from leuthen.screen.battles import BattleReport as BattleReport
from leuthen.screen.battles import BattleSide as BattleSide
from leuthen.screen.form import Barred as Barred
from leuthen.screen.form import Choice as Choice
from leuthen.screen.form import Form as Form
from leuthen.screen.form import FormField as FormField
from leuthen.screen.form import PartialOrder as PartialOrder
from leuthen.screen.form import Reached as Reached
from leuthen.screen.layer import Layer as Layer
from leuthen.screen.layer import Left as Left
from leuthen.screen.layer import Shade as Shade
from leuthen.screen.layer import Trace as Trace
from leuthen.screen.log_entries import LogEntry as LogEntry
from leuthen.screen.log_entries import Spot as Spot
from leuthen.screen.presenter import Presenter as Presenter
from leuthen.screen.scene import Badge as Badge
from leuthen.screen.scene import Chip as Chip
from leuthen.screen.scene import Contender as Contender
from leuthen.screen.scene import HeldFortress as HeldFortress
from leuthen.screen.scene import Marker as Marker
from leuthen.screen.scene import Meter as Meter
from leuthen.screen.scene import Muster as Muster
from leuthen.screen.scene import MusterEntry as MusterEntry
from leuthen.screen.scene import Piece as Piece
from leuthen.screen.scene import PowerStatus as PowerStatus
from leuthen.screen.scene import Scene as Scene
from leuthen.screen.scene import Score as Score
from leuthen.screen.scene import Stage as Stage
from leuthen.screen.scene import Token as Token
from leuthen.screen.scene import Tray as Tray
from leuthen.screen.scene import Versus as Versus
from leuthen.screen.setting import FortressCard as FortressCard
from leuthen.screen.setting import LayerCard as LayerCard
from leuthen.screen.setting import LeaderCard as LeaderCard
from leuthen.screen.setting import OptionCard as OptionCard
from leuthen.screen.setting import PowerCard as PowerCard
from leuthen.screen.setting import ScenarioCard as ScenarioCard
from leuthen.screen.setting import Setting as Setting
from leuthen.screen.setting import TableCard as TableCard
from leuthen.screen.setting import Town as Town
from leuthen.screen.setting import scenario_card as scenario_card
from leuthen.screen.story import CommanderRecord as CommanderRecord
from leuthen.screen.story import Story as Story
