import gzip
import http.client

from tests.server.conftest import Guest, Party, new_game
from tests.server.house import House


def asked(guest: Guest, path: str = "", takes: str = "gzip, br") -> tuple[dict[str, str], bytes]:
    line = http.client.HTTPConnection("127.0.0.1", guest.caller.port, timeout=60)
    line.request("GET", guest.base + path, headers=guest.caller.headers() | {"Accept-Encoding": takes})
    response = line.getresponse()
    headers, body = {name.lower(): value for name, value in response.getheaders()}, response.read()
    line.close()
    assert response.status == 200
    assert int(headers["content-length"]) == len(body)
    return headers, body


def is_packed(guest: Guest, path: str = "") -> bool:
    headers, body = asked(guest, path)
    if headers.get("content-encoding") != "gzip":
        return False
    assert headers["vary"] == "Accept-Encoding"
    assert len(gzip.decompress(body)) > len(body)
    return True


def test_nothing_is_compressed_while_two_people_have_secrets(party: Party) -> None:
    assert [is_packed(guest) for guest in party.guests] == [False, False, True], "the gallery has no secrets"
    assert not is_packed(party.prussia, "/chronicle")
    assert gzip.decompress(asked(party.watcher)[1]) == party.watcher.get("").body
    party.prussia.move("resign")
    assert [is_packed(guest) for guest in party.guests] == [True, True, True], "the game has ended"


def test_against_the_machine_answers_are_small(house: House) -> None:
    maker, made = new_game(house, ("me", "random"))
    guest = Guest(maker, made["seats"][0]["seat"], 0)
    assert is_packed(guest)
    assert "content-encoding" not in asked(guest, takes="identity")[0]
    assert "content-encoding" not in asked(guest, "/chat")[0], "less than is worth it"
