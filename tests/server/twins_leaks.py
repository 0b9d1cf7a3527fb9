"""Leaks to plant in the server, each of a plausible kind; the twin games must find every one."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from leuthen.engine.codec import digest_of
from leuthen.engine.ruleset import EVERYTHING, OTHER, VIEWERS, WATCHER, SeatSide, Side, Transition, ViewerId
from leuthen.play.proof import ledger, protocol
from leuthen.play.table import Step
from leuthen.screen.presenter import Presenter
from leuthen.screen.values import Scene
from leuthen.server.session import game_session, history, lookback
from leuthen.server.session.device_sessions import DeviceSession, DeviceSessions
from leuthen.server.session.history import GameHistory, GameTransaction
from leuthen.server.session.messages import Devices, Fault, Problem, SealStatus, SeatSnapshot
from leuthen.server.session.seal import GameSeal, Sealing
from leuthen.server.session.streams import SeatView

Patch = pytest.MonkeyPatch


def the_scene_uses_the_position(patch: Patch) -> None:
    def scene_of(self: SeatView, position: Any, viewer: ViewerId, result: str = "") -> Scene:
        scene = self.ruleset.presenter.scene(self.ruleset.view(position, EVERYTHING))
        return msgspec.structs.replace(scene, viewer=viewer)

    patch.setattr(SeatView, "scene_of", scene_of)


def layers_and_odds_use_the_position(patch: Patch) -> None:
    def view(self: SeatView, side: Side) -> Any:
        return self.ruleset.view(self.history.table.state, EVERYTHING).replace(viewer=side)

    patch.setattr(SeatView, "view", view)


def pieces_are_sorted_by_true_strength(patch: Patch) -> None:
    scene_of = SeatView.scene_of

    def sorted_scene(self: SeatView, position: Any, viewer: ViewerId, result: str = "") -> Scene:
        truth = self.ruleset.presenter.scene(self.ruleset.view(position, EVERYTHING)).pieces
        scene = scene_of(self, position, viewer, result)
        pieces = sorted(scene.pieces.items(), key=lambda item: truth[item[0]].low)
        return msgspec.structs.replace(scene, pieces=dict(pieces))

    patch.setattr(SeatView, "scene_of", sorted_scene)


def drafts_of_others_are_shown(patch: Patch) -> None:
    patch.setattr(GameHistory, "position", lambda self, viewer: self.table.state)


def a_draft_is_sent_at_once(patch: Patch) -> None:
    on_action = GameTransaction.on_action

    def send(self: GameTransaction, step: Step) -> None:
        line = self._line
        on_action(self, step)
        for viewer in VIEWERS:
            if viewer != step.actor and (events := step.transition.events(viewer)):
                self._notify(viewer, line, events)

    patch.setattr(GameTransaction, "on_action", send)


def an_undone_move_is_counted(patch: Patch) -> None:
    on_undo = GameTransaction.on_undo

    def counted(self: GameTransaction, step: Step) -> None:
        on_undo(self, step)
        self._notify(OTHER[step.actor], self._line, ())

    patch.setattr(GameTransaction, "on_undo", counted)


def hidden_events_are_counted(patch: Patch) -> None:
    on_committed = GameTransaction.on_committed

    def counted(self: GameTransaction, steps: Sequence[Step]) -> None:
        for step in steps:
            for viewer in VIEWERS:
                if step.actor < WATCHER and viewer != step.actor and not step.transition.events(viewer):
                    self._notify(viewer, self._line, ())
        on_committed(self, steps)

    patch.setattr(GameTransaction, "on_committed", counted)


def events_are_sent_unfiltered(patch: Patch) -> None:
    events = Transition.events
    on_committed = GameTransaction.on_committed

    def send(self: GameTransaction, steps: Sequence[Step]) -> None:
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(Transition, "events", lambda step, viewer: events(step, viewer) and events(step, EVERYTHING))
            on_committed(self, steps)

    patch.setattr(GameTransaction, "on_committed", send)


def decisions_of_others_are_shown(patch: Patch) -> None:
    patch.setattr(Presenter, "asked", lambda self, pending, viewer: pending)


def a_prompt_names_the_position(patch: Patch) -> None:
    awaited = SeatView.awaited

    def named(self: SeatView, side: Side) -> tuple[Any, ...]:
        mark = digest_of(self.ruleset, self.history.table.state)[:2]
        return tuple(msgspec.structs.replace(asked, text=f"{asked.text} {mark}") for asked in awaited(self, side))

    patch.setattr(SeatView, "awaited", named)


def a_draft_sets_the_clock(patch: Patch) -> None:
    status_of = history.status_of

    def dated(game: Any) -> Any:
        return status_of(game) | ({"since": CLOCKS[id(game)]} if id(game) in CLOCKS else {})

    commit = game_session.GameSession._commit

    async def committed(self: Any, transaction: GameTransaction, *rest: Any) -> None:
        CLOCKS[id(transaction)] = self._clock()
        await commit(self, transaction, *rest)

    patch.setattr(history, "status_of", dated)
    patch.setattr(game_session.GameSession, "_commit", committed)


CLOCKS: dict[int, str] = {}


def a_view_counts_the_lines_of_the_record(patch: Patch) -> None:
    fresh = SeatView.fresh

    def counted(self: SeatView, *args: Any) -> SeatSnapshot:
        return msgspec.structs.replace(fresh(self, *args), title=" " * (len(self.history.record) % 7))

    patch.setattr(SeatView, "fresh", counted)


def a_refusal_counts_all_actions(patch: Patch) -> None:
    submit = game_session.GameSession.submit

    async def answered(self: Any, *args: Any) -> Any:
        try:
            return await submit(self, *args)
        except Exception as error:
            raise Fault(Problem(422, "Refused", str(error), n=len(self.history.record))) from error

    patch.setattr(game_session.GameSession, "submit", answered)


def the_record_contains_every_line(patch: Patch) -> None:
    patch.setattr(lookback, "account", lambda session, lines: session.whole_record())


def a_form_sends_a_message(patch: Patch) -> None:
    player = game_session.GameSession.player

    def heard(self: Any, *args: Any) -> Any:
        self.broadcaster.broadcast(self.broadcaster._presence(0))
        return player(self, *args)

    patch.setattr(game_session.GameSession, "player", heard)


def devices_count_requests_of_others(patch: Patch) -> None:
    asked: Counter[tuple[int, str, SeatSide]] = Counter()

    async def counted(self: DeviceSessions, seat: str, lock: str) -> DeviceSession:
        device = await find(self, seat, lock)
        asked[id(self), device.seat.game, device.seat.side] += 1
        return device

    async def list_devices(self: DeviceSessions, device: DeviceSession) -> Devices:
        others = (n for (here, game, side), n in asked.items() if _is_other(device, self, here, game, side))
        return msgspec.structs.replace(await devices(self, device), has_link=sum(others) % 2 == 0)

    find, devices = DeviceSessions.find, DeviceSessions.devices
    patch.setattr(DeviceSessions, "find", counted)
    patch.setattr(DeviceSessions, "devices", list_devices)


def _is_other(device: DeviceSession, devices: DeviceSessions, here: int, game: str, side: SeatSide) -> bool:
    return (here, game) == (id(devices), device.seat.game) and side != device.seat.side


def the_seal_counts_what_it_binds(patch: Patch) -> None:
    status = GameSeal.status

    def counted(self: GameSeal, side: Side) -> SealStatus:
        return msgspec.structs.replace(status(self, side), blocks=len(self.lines))

    patch.setattr(GameSeal, "status", counted)


def a_block_is_as_long_as_what_it_hides(patch: Patch) -> None:
    commit_line = protocol.commit_line
    patch.setattr(protocol, "body_of", lambda lines: " ".join(lines))
    patch.setattr(protocol, "commit_line", lambda *line: commit_line(*line)[: len(line[-1])])
    patch.setattr(ledger, "is_word", lambda text: True)


def campaigns_show_true_strengths(patch: Patch) -> None:
    scene_of = SeatView.scene_of

    def with_strengths(self: SeatView, position: Any, viewer: ViewerId, result: str = "") -> Scene:
        truth = self.ruleset.presenter.scene(self.ruleset.view(position, EVERYTHING)).pieces
        scene = scene_of(self, position, viewer, result)
        pieces = {
            key: msgspec.structs.replace(piece, low=truth[key].low, high=truth[key].high) if key in truth else piece
            for key, piece in scene.pieces.items()
        }
        return msgspec.structs.replace(scene, pieces=pieces)

    patch.setattr(SeatView, "scene_of", with_strengths)


def blocks_count_drafts(patch: pytest.MonkeyPatch) -> None:
    finish = Sealing.finish
    patch.setattr(Sealing, "finish", lambda sealing, *, is_told, end: finish(sealing, is_told=True, end=end))


def own_heads_count_others(patch: pytest.MonkeyPatch) -> None:
    own = Sealing.asked

    def asked(sealing: Sealing, side: Side, share: Any) -> Sealing:
        own(sealing, side, share)
        sealing.ledger._own = {name: (count + 1, head) for name, (count, head) in sealing.ledger._own.items()}
        return sealing

    patch.setattr(Sealing, "asked", asked)


Leak = Callable[[Patch], None]
SEAL_LEAKS: tuple[Leak, ...] = (blocks_count_drafts, own_heads_count_others)
CAMPAIGN_LEAKS: tuple[Leak, ...] = (campaigns_show_true_strengths,)
LEAKS: tuple[tuple[Leak, SeatSide, int], ...] = (
    (the_scene_uses_the_position, 0, 0),
    (layers_and_odds_use_the_position, 1, 2),
    (pieces_are_sorted_by_true_strength, WATCHER, 9),
    (drafts_of_others_are_shown, 1, 2),
    (a_draft_is_sent_at_once, 0, 5),
    (an_undone_move_is_counted, 0, 0),
    (hidden_events_are_counted, 1, 7),
    (events_are_sent_unfiltered, 0, 12),
    (decisions_of_others_are_shown, 0, 11),
    (a_prompt_names_the_position, WATCHER, 0),
    (a_draft_sets_the_clock, 1, 0),
    (a_view_counts_the_lines_of_the_record, WATCHER, 0),
    (a_refusal_counts_all_actions, 0, 0),
    (the_record_contains_every_line, WATCHER, 0),
    (a_form_sends_a_message, 1, 0),
    (devices_count_requests_of_others, 0, 0),
    (the_seal_counts_what_it_binds, 1, 0),
    (a_block_is_as_long_as_what_it_hides, WATCHER, 0),
    *((leak, 1, 0) for leak in CAMPAIGN_LEAKS),
    *((leak, 0, 1) for leak in SEAL_LEAKS),
)
"""Each leak, the viewer who must notice it, and the seed of a game in which he soon does."""
