"""The command line. Commands import only what they use; invalid input gives one line on standard error, exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

from leuthen import __version__
from leuthen.arguments import (
    DATA,
    FOLDER,
    GAME,
    ISOLATED,
    PATIENCE,
    RESUMING,
    RULESET,
    Argument,
    add_all,
    address,
    argument,
    natural,
    player,
    port,
    positive,
    ruleset,
    seats,
)  # fmt: skip
from leuthen.bots import BOTS, expect_player
from leuthen.engine.refusal import Illegal, Invalid, require
from leuthen.engine.ruleset import PlayFailed, as_viewer
from leuthen.folders import server_folder
from leuthen.load import DEFAULT, Rulebook, for_each_ruleset, load, load_with, map_folder, read_rulebook, text_of
from leuthen.play.record import Record, RecordError, parse, read

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from leuthen.play.proof.check import CheckReport
    from leuthen.report.values import WarReport
    from leuthen.screen.presenter import TableRuleset
    from leuthen.storage.postgres import Postgres

WRONG: Final = 2  # exit code for invalid input
FAILED: Final = 1  # exit code for a game that broke off
STOPPED: Final = 130  # exit code after Ctrl-C outside a game

Command: TypeAlias = Callable[[argparse.Namespace], int]


def run(argv: Sequence[str]) -> int:
    args = _parser().parse_args(argv)
    command: Command = args.command
    try:
        return command(args)
    except (Invalid, Illegal) as error:
        return _print_error(str(error), WRONG)
    except PlayFailed as error:
        print(error.trace, end="", file=sys.stderr)
        return _print_error(str(error), FAILED)
    except KeyboardInterrupt:
        return _print_error("stopped", STOPPED)


def _print_error(reason: str, code: int) -> int:
    print(f"leuthen: {' '.join(reason.split())}", file=sys.stderr)
    return code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(WRONG, f"{self.prog}: {message}; --help tells more\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Unlike argparse's own method, report a full standard output."""
        print(self.format_help(), end="", file=file)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="leuthen", description="Two wargames of the Seven Years War.")
    parser.add_argument("-V", "--version", action="version", version=f"leuthen {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, about: str, description: str, run: Command, *wanted: Argument) -> None:
        command = commands.add_parser(name, help=about, description=description)
        command.set_defaults(command=run)
        add_all(command, *wanted)

    record = argument("file", metavar="FILE", type=Path)
    processes = "how many machines think at once, each in a process of its own"
    add(
        "serve",
        "play in a browser",
        "Runs the web server until Ctrl-C.",
        _serve,
        argument("--host", default="127.0.0.1", help="the address to listen on; 0.0.0.0 admits other machines"),
        argument("--public-url", metavar="URL", action="append", help="the public address, if a proxy is in front"),
        argument("--port", metavar="P", type=port, help="the port; 0 chooses a free one"),
        FOLDER,
        argument(
            "--database",
            metavar="URL",
            help="store the games in PostgreSQL: postgresql://user@host/name (default: LEUTHEN_DATABASE)",
        ),
        argument(
            "--standby", action="store_true", help="wait while another server runs these games; take over when it stops"
        ),
        argument("--memory", metavar="MB", type=positive, help="memory for games that no player has open"),
        argument(
            "--workers",
            metavar="N",
            type=positive,
            help=f"{processes}; by default one less than processors, 2 at least",
        ),
        argument("--open", action="store_true", help="open it in the browser"),
        argument("--ruleset", metavar="MODULE:PLUGIN", type=ruleset, help="add a rule set of your own"),
        argument("--log", action="store_true", help="log every request to standard error"),
        argument("--log-json", action="store_true", help="write the log as lines of JSON"),
        argument("--metrics", metavar="[HOST:]PORT", type=address, help="serve Prometheus metrics at this address"),
    )
    text = "Copies a server's games. The server may keep running."
    new = argument("file", metavar="FILE", nargs="?", type=Path, help="the new backup file; it must not exist")
    add("backup", "back up a server's games", text, _backup, new, FOLDER)
    text = "Replaces a server's games by a backup and keeps the old ones. Stop the server first."
    add("restore", "restore a backup", text, _restore, record, FOLDER)
    add(
        "play",
        "start a game",
        "Starts a game.",
        _play,
        *RULESET,
        *GAME,
        *seats("human", "captain"),
        argument("--seed", metavar="S", help="roll the same dice each time (default: secret dice)"),
        argument(
            "--takebacks",
            metavar="HOW",
            choices=("never", "consent", "free"),
            default="consent",
            help="takebacks: never after a roll, by the opponent's consent (default), or free",
        ),
        argument("--record", metavar="FILE", type=Path, help="the file in which to save the game"),
        PATIENCE,
    )
    add(
        "resume",
        "continue a game",
        "Continues a saved game: by default the newest unfinished one.",
        _resume,
        argument("file", metavar="FILE", nargs="?", type=Path),
        DATA,
        *seats(None, None),
        argument("--seed", metavar="S", help="the seed with which the game was started"),
        PATIENCE,
    )
    add(
        "replay",
        "print or verify a record",
        "Prints or verifies a record.",
        _replay,
        record,
        argument("--verify", action="store_true", help="only check every line and print the final digest"),
        argument(
            "--viewer",
            metavar="VIEWER",
            help="the view to print: a side, watcher or everything (default for a finished game)",
        ),
        DATA,
    )
    text = "Checks the dice, secrets, sequence and rules of a game file (docs/trust.md)."
    add(
        "verify",
        "check a game played on a server",
        text,
        _verify,
        argument("file", metavar="FILE", type=Path, help="the game file: the record with its proof"),
        argument(
            "--receipt",
            metavar="FILE",
            type=Path,
            action="append",
            default=[],
            help="a receipt that a player saved during the game; may be repeated",
        ),
        DATA,
    )
    text = "Analyses a finished game: chances by turn, costly decisions and luck (docs/report.md)."
    add(
        "report",
        "write the staff report on a finished game",
        text,
        _report,
        argument("file", metavar="FILE", type=Path, help="the record"),
        argument("--json", action="store_true", help="print the whole report as JSON"),
        argument("--side", metavar="SIDE", help="report only this side's decisions and knowledge"),
        argument("--seed", metavar="S", default="report", help="seed of the simulated dice and hidden forces"),
        argument("--jobs", metavar="J", type=positive, default=2, help="number of processes"),
    )
    text = "Plays many games between two bots; writes one line of JSON per game to standard output or --keep."
    add(
        "simulate",
        "play many games between two bots",
        text,
        _simulate,
        *RULESET,
        *GAME,
        *seats("captain", "captain"),
        argument("--games", metavar="N", type=positive, default=1),
        argument("--first", metavar="N", type=natural, default=0, help="the number of the first game"),
        argument("--seed", metavar="S", help="repeat the same games with the same seed"),
        *RESUMING,
        *ISOLATED,
        argument("--records", metavar="DIR", type=Path, help="save the record of every game there"),
        argument("--parquet", metavar="FILE", type=Path, help="also write a table of the games at the end"),
    )
    text = "Plays pairs of games with sides swapped and the same dice, until one bot is clearly better."
    add(
        "ladder",
        "find the better of two bots",
        text,
        _ladder,
        argument("bots", metavar="BOT", nargs=2, type=player, help="or module:Class of your own"),
        argument("--ruleset", metavar="NAME", type=ruleset),
        *GAME,
        argument("--pairs", metavar="N", type=positive, default=200, help="the most pairs to play (default: 200)"),
        argument("--all", action="store_true", help="play all pairs, even if the result is certain earlier"),
        argument("--seed", metavar="S", default="ladder", help="repeat the same dice with the same seed"),
        *RESUMING,
        *ISOLATED,
    )
    sheet = argument("-o", "--output", metavar="FILE", type=Path, required=True)
    add("map", "save the map", "Saves the map as an SVG file to print.", _map, sheet, *RULESET)
    files = argument("files", metavar="FILE", nargs="+", type=Path)
    add("case", "run case files", "Runs case files: positions with expected results.", _case, files)
    text = "Finds rules by number, chapter or words in every rule set."
    words = argument("query", metavar="NUMBER|WORD", nargs="*")
    add("rules", "look up a rule", text, _rules, words, argument("--ruleset", metavar="NAME", type=ruleset))
    add("bots", "list the machine players", "Lists the machine players.", _bots)
    text = "Lists the scenarios and options of a rule set."
    add("scenarios", "list scenarios and options", text, _scenarios, *RULESET)
    return parser


def _load(args: argparse.Namespace, name: str | None = None) -> TableRuleset:

    return load(name or args.ruleset or DEFAULT, args.data)


def _load_for(args: argparse.Namespace, recorded: Record) -> TableRuleset:
    from leuthen.school.lessons import expect_scenario

    expect_scenario(recorded)
    header = recorded.header
    return _load(args, header.ruleset) if args.data else load_with(header.ruleset, header.data)


def _serve(args: argparse.Namespace) -> int:
    from leuthen.server.bots.workers import WORKERS
    from leuthen.server.http import logs
    from leuthen.server.http.serve import PORT, open_page, serve
    from leuthen.storage.rows import GamesTaken

    def say(address: str, words: str = "Press Ctrl-C to stop it.") -> None:
        is_open = args.open and open_page(address)
        if args.log_json:
            logs.SERVER.info("leuthen %s serves at %s", __version__, address)
        else:
            print(f"The table is at {address}{' and opens in your browser' if is_open else ''}. {words}", flush=True)

    def on_start(address: str, is_standby: bool) -> None:
        if not is_standby:
            say(address)
        elif args.log_json:
            logs.SERVER.info("leuthen %s is on standby at %s", __version__, address)
        else:
            print(f"This server is on standby at {address}. Press Ctrl-C to stop it.", flush=True)

    port = PORT if args.port is None else args.port
    logs.set_up(tell_requests=args.log, as_json=args.log_json)
    try:
        serve(
            _place_of(args),
            args.host,
            port,
            on_start,
            args.public_url or (),
            is_standby=args.standby,
            memory=args.memory,
            workers=args.workers or WORKERS,
            figures=args.metrics,
        )
    except Exception as error:
        if isinstance(error, GamesTaken) and args.open and error.address:
            say(error.address, "It was already running.")
            return 0
        if not args.log_json:
            raise
        if isinstance(error, Invalid):
            logs.SERVER.critical("the server cannot start: %s", " ".join(str(error).split()))
            return WRONG
        logs.SERVER.critical("the server has failed", exc_info=error)
        return FAILED
    return 0


def _play(args: argparse.Namespace) -> int:
    from leuthen.terminal.start import Setup, play

    setup = Setup(
        args.scenario, dict(args.options), (args.prussia, args.austria), args.seed, args.record, args.takebacks
    )
    play(_load(args), setup, args.patience)
    return 0


def _resume(args: argparse.Namespace) -> int:
    from leuthen.terminal.start import newest_unfinished, resume

    recorded = read(args.file) if args.file else newest_unfinished()
    resume(_load_for(args, recorded), recorded, (args.prussia, args.austria), args.seed, args.patience)
    return 0


def _replay(args: argparse.Namespace) -> int:
    from leuthen.terminal.start import render, verify

    recorded = read(args.file)
    ruleset = _load_for(args, recorded)
    if recorded.notice:
        print(recorded.notice, file=sys.stderr)
    if args.verify:
        print(verify(ruleset, recorded))
    else:
        viewers = (*ruleset.sides, "watcher", "everything")
        reason = f'"{args.viewer}" is not a valid viewer: {", ".join(viewers)}'
        require(not args.viewer or args.viewer in viewers, reason)
        render(ruleset, recorded, as_viewer(viewers.index(args.viewer)) if args.viewer else None)
    return 0


def _simulate(args: argparse.Namespace) -> int:
    import secrets

    from leuthen.simulate.bulk import simulate
    from leuthen.simulate.run import GameFailed, Match

    bots, options = (args.prussia, args.austria), dict(args.options)
    for bot in bots:
        expect_player(bot)
    ruleset = _load(args)
    ruleset.new_game(args.scenario, options)
    if not (seed := args.seed):
        seed = secrets.token_hex(4)
        print(f"seed {seed}", file=sys.stderr)
    match = Match(ruleset.name, ruleset.digest, args.scenario, options, bots, seed)
    try:
        simulate(ruleset, match, range(args.first, args.first + args.games), args, sys.stdout, sys.stderr)
    except GameFailed as error:
        raise GameFailed(f"{error}; repeat it alone with --seed {seed} --first N --games 1", error.trace) from error
    return 0


def _map(args: argparse.Namespace) -> int:

    sheet = text_of(map_folder(args.ruleset or DEFAULT, args.data) / "wall.svg")
    try:
        args.output.write_text(sheet, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Invalid(f"{args.output}: cannot be written: {error.strerror}") from error
    return 0


def _case(args: argparse.Namespace) -> int:
    from importlib import import_module

    main: Callable[[list[Path]], int] = import_module("leuthen.cases.run").main
    return main(args.files)


def _rules(args: argparse.Namespace) -> int:
    from leuthen.terminal.page import get_page

    query, page, name = " ".join(args.query), get_page(), args.ruleset
    books = (
        {name: Rulebook(read_rulebook(name))} if name else for_each_ruleset(lambda name: Rulebook(read_rulebook(name)))
    )
    found = [name for name, book in books.items() if not query or book.find(query)]
    require(found, f'no rule contains "{query}"')
    for name in found:
        if len(books) > 1:
            page.say(f"In {name}:", "bold")
        page.print_rules(books[name], query)
    return 0


def _bots(args: argparse.Namespace) -> int:
    print("\n".join(BOTS))
    return 0


def _scenarios(args: argparse.Namespace) -> int:
    ruleset = _load(args)
    for name, line in ruleset.scenarios.items():
        print(f"{name:<12} {line}")
    for option, values in ruleset.options.items():
        if len(values) > 1:
            print(f"--option {option}={values[0]:<12} or {', '.join(values[1:])}")
    return 0


# --- ladder -----------------------------------------------------------------------------------------------------------


def _ladder(args: argparse.Namespace) -> int:
    from leuthen.simulate.bulk import run_ladder
    from leuthen.simulate.run import Match

    ruleset = load(args.ruleset or DEFAULT)
    for bot in args.bots:
        expect_player(bot)
    options, standing = dict(args.options), None
    ruleset.new_game(args.scenario, options)
    match = Match(ruleset.name, ruleset.digest, args.scenario, options, (args.bots[0], args.bots[1]), args.seed)
    ways = {"all_pairs": args.all, "isolated": args.isolated, "patience": args.patience}
    for standing in run_ladder(ruleset, match, args.pairs, args.jobs, args.keep, args.on, **ways):
        print(standing, file=sys.stderr, flush=True)
    print(f"{args.bots[0]} against {args.bots[1]}, {ruleset.name} {args.scenario}: {standing}")
    return 0


# --- report -----------------------------------------------------------------------------------------------------------


def _report(args: argparse.Namespace) -> int:
    import msgspec

    from leuthen.report.text import ReportText

    recorded = read(args.file)
    ruleset = load_with(recorded.header.ruleset, recorded.header.data)
    reason = f'"{args.side}" is not a valid side: {" or ".join(ruleset.sides)}'
    require(not args.side or args.side in ruleset.sides, reason)
    if recorded.notice:
        print(recorded.notice, file=sys.stderr)
    report = _make_report(ruleset, recorded, args.seed, args.jobs)
    if args.json:
        print(msgspec.json.encode(report).decode())
        return 0
    sides = [ruleset.sides.index(args.side)] if args.side else [0, 1]
    for line in ReportText(ruleset, report).render(sides):
        print(line)
    return 0


def _make_report(ruleset: TableRuleset, recorded: Record, seed: str, jobs: int) -> WarReport:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from leuthen.report.assemble import make_report
    from leuthen.report.course import course_of
    from leuthen.report.processes import open_workers
    from leuthen.report.sampling import Sampling
    from leuthen.ticking import ticking

    course = course_of(ruleset, recorded)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        open_workers(ruleset, seed, jobs) as work,
        Progress(*columns, console=Console(stderr=True)) as bars,
        ticking(),
    ):
        shown = {}

        def progress(stage: str, done: int, total: int) -> None:
            if stage not in shown:
                shown[stage] = bars.add_task(stage, total=total)
            bars.update(shown[stage], completed=done)

        return make_report(ruleset, course, Sampling(seed), work, progress)


# --- verify -----------------------------------------------------------------------------------------------------------


WHOLE: Final = 0  # exit code: everything was checked
BROKEN: Final = 1  # exit code: a line is wrong, or the file cannot be checked
SOUND: Final = 3  # exit code: nothing is wrong, but not everything was checked


def _verify(args: argparse.Namespace) -> int:
    from leuthen.play.proof.check import UncheckableFile, check, expect_checkable, parse_receipt, read_file

    data, receipts = read_file(args.file), [(path, read_file(path)) for path in args.receipt]
    try:
        expect_checkable(args.file, data)
        recorded = parse(args.file, data)
        kept = [parse_receipt(path, found.decode(errors="replace")) for path, found in receipts]
        report = _with_rules(args.data, recorded, check(recorded, kept))
    except UncheckableFile as error:
        print(f"Cannot be checked: {error}.")
        return BROKEN
    except RecordError as error:
        print(f"Broken: {error}.")
        return BROKEN
    print(f"{args.file}: {'whole' if report.is_whole else 'sound, but not fully checked'}.")
    for title, lines in (
        ("Verified:", report.holds),
        ("Not checked:", report.all_unchecked),
        ("Not proved by this check:", report.open),
    ):
        if lines:
            print("\n".join(["", title, *(f"- {line}" for line in lines)]))
    return WHOLE if report.is_whole else SOUND


def _with_rules(data: Path | None, recorded: Record, report: CheckReport) -> CheckReport:
    from leuthen.play.proof.rules import check_rules

    header = recorded.header
    try:
        ruleset = load(header.ruleset, data) if data else load_with(header.ruleset, header.data)
    except Invalid as error:
        return report.with_rules_unchecked(f"The rules could not be checked: {error}.")
    return check_rules(ruleset, recorded, report)


# --- backup and restore -----------------------------------------------------------------------------------------------


def _backup(args: argparse.Namespace) -> int:
    from leuthen.storage.sqlite import back_up

    print(f"The games were backed up to {back_up(_folder_of(args, 'pg_dump'), args.file)}.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    from leuthen.storage.sqlite import restore

    kept = restore(_folder_of(args, "pg_restore"), args.file)
    print(f"The games of {args.file} are restored.{f' The old ones are saved in {kept}.' if kept else ''}")
    return 0


def _folder_of(args: argparse.Namespace, tool: str) -> Path:
    reason = f"LEUTHEN_DATABASE is set: use {tool} for these games (docs/backup.md), or name --data-dir"
    require(args.data_dir is not None or not os.environ.get("LEUTHEN_DATABASE"), reason)
    return server_folder(args.data_dir)


def _place_of(args: argparse.Namespace) -> Path | Postgres:
    require(not (args.database and args.data_dir), "use either --database or --data-dir, not both")
    address = args.database or ("" if args.data_dir else os.environ.get("LEUTHEN_DATABASE", ""))
    if not address:
        return server_folder(args.data_dir)
    from leuthen.storage.postgres import Postgres

    return Postgres(address)
