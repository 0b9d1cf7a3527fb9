from pathlib import Path

import pytest

from leuthen.cases.run import run_case
from leuthen.cases.text import read_cases
from leuthen.load import load

GIVEN = (
    "chit prussia-3 ; Keith 2940 20 sp 2 ; P1 2940 4 ; Daun 2943 10 ; garrison Breslau 3 Prussia ; "
    "depot Prussia Breslau ; prisoners prussia 3 Austria ; captive coalition Moritz senior ; coming 5 Prussia due 6"
)


def report_of(steps: str, given: str = GIVEN) -> str:
    (case,) = read_cases(Path("a.case"), f"GAME campaigns\nCASE one\nGIVEN {given}\n{steps}")
    report = run_case(load(case.game), case)
    return f"{report.line}: {report.fault}" if report.fault else ""


@pytest.mark.parametrize(
    ("fact", "fault"),
    [
        ("Keith 2940 20 sp 2 ready outside sound far fresh moves 0 hunger 0 rolls 0", ""),
        ("Keith 2941", "expected Keith at 2941; it is Keith 2940 20 sp 2 far"),
        ("Keith 19", "expected Keith with 19; it is Keith 2940 20 sp 2 far"),
        ("Keith sp 1", "expected Keith sp 1; it is"),
        ("Keith moved", "expected Keith moved; it is"),
        ("Keith inside", "expected Keith inside; it is"),
        ("Keith demoralized", "expected Keith demoralized; it is"),
        ("Keith nonsense", "«nonsense» is no hex or town"),
        ("Keith 20 nonsense", "«nonsense» is not understood here"),
        ("Keith captive", "expected Keith captive; it is Keith map"),
        ("Henry 5", "Henry is not on the map"),
        ("P1 2940 4 men 0", ""),
        ("P1 none", "expected P1 none; it is P1 map"),
        ("P2 none", ""),
        ("P1 3", "expected P1 with 3; it is"),
        ("France neutral", "expected France neutral; it is France war"),
        ("garrison Breslau 2 Prussia", "expected 2 Prussia; it is 3 Prussia"),
        ("no garrison Breslau", "expected 0 TP; it is 3 Prussia"),
        ("freed Breslau 2 Prussia", "expected 2 Prussia; it is 0 TP"),
        ("owner Breslau coalition", "expected owner 1733 coalition; it is owner 1733 prussia"),
        ("depot Austria Breslau", "expected depot of Austria, cut 0; it is depot of Prussia, cut 0"),
        ("no depot Breslau", "expected no depot; it is depot of Prussia, cut 0"),
        ("siege Breslau turns 1", "expected {'turns': 1}; it is {'turns': 0}"),
        ("prisoners prussia 2 Austria", "expected 2 Austria; it is 3 Austria"),
        ("captive coalition Henry", "expected Henry captive; it is not so"),
        ("no captive coalition", "expected no captive; it is not so"),
        ("coming 5 Prussia due 7", "expected coming 5 Prussia due 7; there is 5 Prussia due 6"),
        ("no coming", "expected no coming ; there is 5 Prussia due 6"),
        ("commander 2940 prussia Henry", "expected commander Henry; it is commander Keith"),
        ("senior Austria Browne", "expected senior Browne; it is senior Daun"),
        ("limit Keith 25", "expected limit 25; it is limit 40"),
        ("carries Keith 1", "expected carries 1; it is carries 2"),
        ("need 40 1", "expected need 1; it is need 2"),
        ("range 2940 prussia", "expected range 2940; it is not so"),
        ("not supplied 2940 prussia", "expected not supplied 2940; it is so"),
        ("besieged Breslau prussia", "expected besieged 1733; it is not so"),
        ("cut Breslau", "expected cut 1733; it is not so"),
        ("not works Breslau", "expected not works 1733; it is so"),
        ("area coalition Glatz", "expected area Glatz; it is not so"),
        ("area coalition Mars", "«Mars» is no area"),
        ("conquered Saxony", "expected Saxony conquered; it is not so"),
        ("vp 1 0", "expected vp 1 0; it is vp 0 3"),
        ("score 0", "expected score 0; it is score -3"),
        ("score -3 decisive", "expected decisive; it is draw"),
        ("battles 1 0", "expected battles 1 0; it is battles 0 0"),
        ("round 1", "there is no battle"),
        ("mp 3", "nobody is on the march"),
        ("cup empty", "expected cup ; it is cup prussia-1"),
        ("pending coalition", "expected pending coalition; asked is prussia Orders"),
        ("no owner Breslau prussia", "«owner» cannot be denied: say what is"),
    ],
)
def test_a_fact_that_is_not_so_is_shown(fact: str, fault: str) -> None:
    found = report_of(f"EXPECT {fact}")
    assert found.startswith(f"4: {fault}" if fault else "")
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ("Keith 2940 5 ; Keith 2941 5", "3: Keith is in two places"),
        ("Keith 2940 inside 5", "3: there is no stronghold to be inside"),
        ("Keith 3142 five", "3: «five» is not understood here"),
        ("Keith 9999 5", "3: «9999» is not on the map"),
        ("garrison 2940 2 Prussia", "3: there is no stronghold"),
        ("owner 2940 prussia", "3: there is no stronghold"),
        ("nonsense", "3: «nonsense» is not understood: a leader, a nation or one of battle, battles,"),
        ("chit 3", "3: «3-» is no chit: prussia-3 is expected"),
        ("step Z", "3: «Z» is no step: A, B, C"),
        ("option rules=chess", "3: option rules: «chess» is not among einhorn, base"),
        ("scenario 1760", "3: «1760» is no scenario:"),
        ("coming 5 Prussia 6", "3: «due» and a turn are expected"),
    ],
)
def test_a_position_that_cannot_be_is_shown(given: str, fault: str) -> None:
    assert report_of("EXPECT turn 4", given).startswith(fault)


def test_chance_is_answered_by_dice_sums_and_chits() -> None:
    assert report_of("DICE x").startswith("4: «x» is neither a die nor a chit")
    assert report_of("DO prussia done\nCHANCES prussia 1 1\nDICE prussia-1\nEXPECT pending prussia Orders") == ""
    assert report_of("DO prussia done\nCHANCES die").startswith("5: expected the chances die; they are prussia 1 1")
