import pytest

from leuthen.load import RULESETS, load
from leuthen.rulesets.frederick.model.data import POWERS
from leuthen.server.session.players import expect_another, named
from leuthen.server.session.problems import Fault
from tests.server.conftest import Guest, Party, call, events, new_game, new_key, secret_of, take
from tests.server.house import House

ANNA = {"name": "Anna", "colour": "red"}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("  Anna \t von  A. ", "Anna von A."),
        ("José O’Neil-2", "José O’Neil-2"),
        ("Jose\u0301", "José"),
        ("Ольга", "Ольга"),
        ("小野", "小野"),
        ("שרה", "שרה"),
        ("Ａｎｎａ", "Anna"),
        ("Old Fritz 🎩", "Old Fritz 🎩"),
        ("❤️ Anna", "❤ Anna"),
        ("Captain Haddock", "Captain Haddock"),
        ("Prince of Prussia", "Prince of Prussia"),
        ("Observer", "Observer"),
        ("علی\u200cرضا", "علی\u200cرضا"),  # a Persian name: the letters are not joined there
        ("क्\u200dष", "क्\u200dष"),  # of a Hindi name: a joiner behind a virama
        ("x" * 24, "x" * 24),
        ("e\u0308" * 24, "ë" * 24),
    ],
)
def test_a_name_is_kept_as_it_is_written(given: str, kept: str) -> None:
    assert named(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "x" * 25,
        "--",
        "An\u202ena",  # turns the line round
        "An\u200bna",  # is not seen
        "An\u200cna",  # joins nothing
        "An\u200dna",
        "علی\u200c",
        "Ma\u3164chine",  # letters that are drawn as nothing
        "\u115fAnna",
        "An\u034fna",
        "Mach\u00adine",
        "rnachine",  # as Unicode's table has it
        "ᴜmpire",
        "ꓮdmin",
        "Um pire",
        "Prussia",
        "the Austrian side",
        "pruѕѕia",
        "Nobody yet",
        "Your opponent",
        "A player without a name",
        "\ue000",
        "a" + "\u0301\u0302\u0303",
        "М" + "achine",  # a Cyrillic letter among Latin ones
        "Machine",
        "the MACHINE",
        "Umpíre",
        "u.m.p.i.r.e",
        "Ump1re",
        "|eu7hen",
        "Captain",
        "cadet",
        "Re Cruit",
        "You",
        "nobody",
        "Server Admin",
    ],
)
def test_a_name_that_misleads_is_refused(given: str) -> None:
    with pytest.raises(Fault) as refused:
        named(given)
    assert refused.value.problem.status == 400
    assert given not in refused.value.problem.detail


def test_two_at_a_table_do_not_look_alike() -> None:
    expect_another("Anna", ["", "Hannah"])
    for other in ("anna", "Änna", "A n n a", "4nna"):
        with pytest.raises(Fault):
            expect_another("Anna", [other])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nobody_is_called_like_a_side_or_a_power(ruleset: str) -> None:
    for name in {*load(ruleset).sides, *(POWERS if ruleset == "frederick" else ())}:
        with pytest.raises(Fault):
            named(name)


def test_two_scripts_that_look_alike_are_one_name() -> None:
    for one, other in (("сосо", "coco"), ("Ора", "Opa"), ("ꓮnna", "Anna")):
        with pytest.raises(Fault):
            expect_another(one, [other])


@pytest.mark.parametrize("turn", ["\u202e", "\u202a", "\u2066", "\u2069"])
def test_titles_and_chat_turn_no_line_round(house: House, turn: str) -> None:
    maker, made = new_game(house, ("me", "link"), title=f"A {turn}war")
    assert maker.get("/api/home").json["games"][0]["title"] == "A war"
    anna = Guest(maker, made["seats"][0]["seat"], 0)
    assert anna.post("/chat", {"key": new_key(), "text": f"{turn}Well met"}).json["text"] == "Well met"
    assert anna.post("/chat", {"key": new_key(), "text": turn}).status == 400
    assert [line["text"] for line in anna.get("/chat").json["lines"]] == ["Well met"]


def lines(guest: Guest) -> list[tuple[str, str]]:
    return [(line["player"], line["colour"]) for line in guest.fresh["seats"]]


def test_everybody_sees_the_names_and_hears_of_new_ones(house: House) -> None:
    maker, made = new_game(house, ("me", "link"), sitting=(ANNA, {"name": "nobody knows me"}))
    anna, watcher = Guest(maker, made["seats"][0]["seat"], 0), take(house, made["watch"], 2)
    assert lines(watcher) == [("Anna", "red"), ("", ""), ("", "")], "who does not sit here yet has no name"
    ear = watcher.listen()
    joiner = call(house.port)
    asked = {"secret": secret_of(made["seats"][1]["link"]), "sitter": {"name": "anna"}}
    assert joiner.post("/api/take", asked).status == 400
    assert anna.fresh["seats"][1]["who"] == "open", "who is refused for his name has not taken the seat"
    answer = joiner.post("/api/take", asked | {"sitter": {"name": "Daun", "colour": "gold"}})
    assert answer.status == 200
    daun = Guest(joiner, answer.json["seat"], 1)
    ear.wait_for(b'"Daun"')
    assert lines(anna) == lines(daun) == [("Anna", "red"), ("Daun", "gold"), ("", "")]
    assert joiner.ask("PUT", f"{daun.base}/player", {"name": "Leopold", "colour": ""}).status == 204
    fresh = [data for event, data in events(ear.wait_for(b'"Leopold"')) if event == "fresh"]
    assert fresh[-1]["seats"][1]["player"] == "Leopold"
    assert [one["player"] for one in maker.get("/api/home").json["games"][0]["seats"]] == ["Anna", "Leopold"]
    house.registry.sessions.clear()
    assert lines(anna) == [("Anna", "red"), ("Leopold", ""), ("", "")], "it is on disk"


def test_only_who_sits_there_may_change_the_name(party: Party) -> None:
    base = party.prussia.base
    assert party.austria.caller.ask("PUT", f"{base}/player", ANNA).status == 404
    for bad in ({"name": "x" * 81}, {"name": "The umpire"}, {"name": "Anna", "colour": "#f00"}, {"name": 3}):
        assert party.prussia.caller.ask("PUT", f"{base}/player", bad).status == 400
    assert lines(party.prussia) == [("", "")] * 3


def named_watchers(heard: bytes) -> list[list[str]]:
    told = [data for event, data in events(heard) if event == "presence"]
    return [[one["name"] for one in data.get("watchers", ())] for data in told]


def test_those_who_play_are_told_who_watches_and_nobody_else(house: House) -> None:
    maker, made = new_game(house, ("me", "link"), sitting=(ANNA, {}))
    anna, link = Guest(maker, made["seats"][0]["seat"], 0), secret_of(made["watch"])
    ear = anna.listen()
    silent = take(house, made["watch"], 2)
    beside = silent.listen()
    carol = call(house.port)
    assert carol.post("/api/take", {"secret": link, "sitter": {"name": "Änna"}}).status == 400
    seat = carol.post("/api/take", {"secret": link, "sitter": {"name": "Carol", "colour": "teal"}}).json["seat"]
    watching = Guest(carol, seat, 2)
    own = watching.listen()
    ear.wait_for(b'"Carol"')
    assert silent.caller.ask("PUT", f"{silent.base}/player", {"name": "Dora"}).status == 204
    assert named_watchers(ear.wait_for(b'"Dora"'))[-1] == ["Carol", "Dora"]
    assert carol.ask("PUT", f"{watching.base}/player", {"name": "Zora"}).status == 204
    assert named_watchers(ear.wait_for(b'"Zora"'))[-1] == ["Dora", "Zora"]
    own.close()
    assert named_watchers(ear.wait_for(b'"watchers":[{"name":"Dora","colour":""}]'))[-1] == ["Dora"]
    late = take(house, made["watch"], 2).listen()
    late.wait_for(b"presence")
    assert anna.post("/chat", {"key": "well-met-1", "text": "Well met"}).status == 200
    for heard in (beside, late):
        assert not any(named_watchers(heard.wait_for(b"Well met")))
    assert lines(anna)[2] == lines(watching)[2] == ("", "")


def test_who_comes_back_by_his_link_is_called_as_before(house: House) -> None:
    _, made = new_game(house, ("link", "random"))
    first = call(house.port)
    link = first.post("/api/take", {"secret": secret_of(made["seats"][0]["link"]), "sitter": ANNA}).json["link"]
    second = call(house.port)
    seat = second.post("/api/take", {"secret": secret_of(link), "sitter": {"name": "Somebody"}}).json["seat"]
    assert lines(Guest(second, seat, 0))[0] == ("Anna", "red")


def test_a_machine_bears_its_title_and_introduces_itself(house: House) -> None:
    maker, made = new_game(house, ("me", "random"), sitting=({}, {"name": "Not me"}))
    bot = Guest(maker, made["seats"][0]["seat"], 0).fresh["seats"][1]
    assert (bot["player"], bot["colour"]) == ("Recruit", "")
    assert bot["greeting"].startswith("New to the service")


def test_offers_and_the_rematch_know_the_names(party: Party) -> None:
    assert party.prussia.caller.ask("PUT", f"{party.prussia.base}/player", ANNA).status == 204
    assert party.prussia.move("offer-draw").status == 200
    assert party.austria.fresh["proposals"][0]["text"] == "Anna (Prussia) offers a draw."
    assert party.austria.move("accept").status == 200
    assert party.prussia.move("offer-rematch").status == 200
    made = party.austria.post("/rematch", {}).json
    assert lines(Guest(party.austria.caller, made["seats"][0]["seat"], 0)) == [("", ""), ("Anna", "red"), ("", "")]


def test_names_stand_in_no_record(party: Party) -> None:
    assert party.prussia.caller.ask("PUT", f"{party.prussia.base}/player", {"name": "Wilhelmine"}).status == 204
    assert party.prussia.move("resign").status == 200
    assert b"Wilhelmine" not in party.austria.get("/record").body


def test_a_stale_tab_cannot_change_a_name(party: Party) -> None:
    seat = party.prussia

    def rename(name: str, was: str) -> int:
        body = {"name": name, "colour": "", "was": {"name": was, "colour": ""}}
        return seat.caller.ask("PUT", f"{seat.base}/player", body).status

    assert rename("Anna", "") == 204
    assert rename("Anna", "") == 204, "the same request again, because its answer was lost"
    assert rename("Bertha", "") == 409
    assert rename("Bertha", "Anna") == 204
