"""A copy of a PostgreSQL made while people play is whole, and a server goes on with it, as docs/hosting.md says."""

from __future__ import annotations

from pathlib import Path

from tests.server.player import Player, new_game
from tests.server.test_kill import Sender, port_of
from tools.postgres import TempPostgres
from tools.serving import Served


def test_what_is_copied_while_people_play_can_be_played_on(postgres: TempPostgres, tmp_path: Path) -> None:
    address = postgres.new_database()
    with Served(tmp_path, database=address) as server:
        senders = [Sender(port_of(server), new_game(port_of(server), "link", "link"), number) for number in range(3)]
        for sender in senders:
            sender.start()
        for sender in senders:
            assert sender.has_goal.wait(120)
        before = acknowledged(senders)
        copy = postgres.copy(address)
        server.stop()
    for sender in senders:
        sender.join(60)
    address = postgres.bring_back(copy)
    kept = set(postgres.ask(postgres.name_of(address), "SELECT seat || ' ' || key FROM answers"))
    assert before <= kept <= {f"{one.chair.seat} {one.key}" for sender in senders for one in sender.sent}
    with Served(tmp_path, database=address) as server:
        for sender in senders:
            for chair in sender.chairs:
                player = Player(port_of(server), chair)
                fresh = player.fresh()
                if player.is_asked():
                    assert player.post(player.any_order(), "after-the-copy", fresh["n"]).status == 200
                player.close()


def acknowledged(senders: list[Sender]) -> set[str]:
    """By seat and key, what has been acknowledged so far."""
    return {f"{one.chair.seat} {one.key}" for sender in senders for one in list(sender.sent) if one.n >= 0}
