"""The command line. Commands import only what they use; invalid input gives one line on standard error, exit code 2.

The docstring of a command is the description in its help.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

from leuthen import __version__
from leuthen.bots import BOTS, expect_player
from leuthen.engine.refusal import Illegal, Invalid, number_of, require, shorten
from leuthen.engine.ruleset import PlayFailed, as_viewer
from leuthen.folders import server_folder
from leuthen.load import (
    DEFAULT,
    Rulebook,
    add_ruleset,
    for_each_ruleset,
    load,
    load_with,
    map_folder,
    read_rulebook,
    text_of,
)
from leuthen.play.record import Record, RecordError, parse, read

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from leuthen.report.sampling import TrialResult, WorldTask
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


# --- arguments --------------------------------------------------------------------------------------------------------


Argument: TypeAlias = tuple[list[str], dict[str, Any]]


def argument(written: str, about: str = "", **settings: Any) -> Argument:
    """Return an argument of a command from its names and metavar, such as "--games N"; the rest is for `argparse`."""
    words = written.split()
    names = [word for word in words if word.startswith("-")] or words[:1]
    metavar = {"metavar": words[-1]} if words != names else {}
    return names, {"help": about or None, **metavar, **settings}


def add_all(parser: argparse.ArgumentParser, *wanted: Argument) -> None:
    for names, settings in wanted:
        parser.add_argument(*names, **settings)


def player(text: str) -> str:
    """Return a player's name; for a user's own bot, add the working directory to the module path."""
    if ":" in text and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return text


def ruleset(text: str) -> str:
    """Return the name of a rule set; add a plug-in in development, `module:PLUGIN`, to this process."""
    try:
        return add_ruleset(player(text)) if ":" in text else text
    except Invalid as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not (name and value):
        raise argparse.ArgumentTypeError(f'"{text}" is not of the form name=value')
    return name, value


def address(text: str) -> tuple[str, int]:
    """Return the host and port of [HOST:]PORT; the default host is this machine."""
    host, _, number = text.rpartition(":")
    return host.strip("[]") or "127.0.0.1", port(number)


def where(text: str) -> str:
    if text not in ("local", "ray") and not text.startswith("ray://"):
        raise argparse.ArgumentTypeError(f'"{text}" is not a place to run: use local, ray or ray://HOST:PORT')
    return text


def port(text: str) -> int:
    number = natural(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f'"{text}" is not a valid port: 0 to 65535')
    return number


def natural(text: str, least: int = 0) -> int:
    number = number_of(text, 9)
    if number is None or number < least:
        raise argparse.ArgumentTypeError(f'"{shorten(text)}" is not a valid whole number of {least} or more')
    return number


def positive(text: str) -> int:
    return natural(text, 1)


GAME: Final = (
    argument("--scenario NAME", default="campaign"),
    argument("--option NAME=VALUE", "may be repeated", action="append", default=[], type=option, dest="options"),
)
DATA: Final = argument("--data DIR", "a folder to use instead of the game's own data", type=Path)
RULESET: Final = (
    argument("--ruleset NAME", "the rule set, or module:PLUGIN of your own (docs/tutorial.md)", type=ruleset),
    DATA,
)
FOLDER: Final = argument("--data-dir DIR", "the folder in which games are stored", type=Path)
PLACES: Final = "local (the default); ray: with Ray on this machine; ray://HOST:PORT: on a cluster"
WHERE: Final = (
    argument("--jobs J", "number of processes", type=positive, default=1),
    argument("--on WHERE", PLACES, type=where, default="local"),
)
RESUMING: Final = (
    *WHERE,
    argument("--keep FILE", "the file for the results; a repeated run continues it", type=Path),
)
LIMIT: Final = "seconds a bot may think about one decision (default: 60)"
PATIENCE: Final = argument("--patience S", LIMIT, type=positive, default=60)
APART: Final = "run each bot in its own process, which receives only its side's view"
ISOLATED: Final = (argument("--isolated", APART, action="store_true"), PATIENCE)


def seats(prussia: str | None, austria: str | None) -> tuple[Argument, Argument]:
    """Return the arguments for the players of both sides, with their defaults."""
    about = "player of {} side: a bot, or module:Class of your own"
    return (
        argument("--prussia --side-1 PLAYER", about.format("Prussia's"), default=prussia, type=player),
        argument("--austria --coalition --side-2 PLAYER", about.format("Austria's"), default=austria, type=player),
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="leuthen", description="Two wargames of the Seven Years War.")
    parser.add_argument("-V", "--version", action="version", version=f"leuthen {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(run: Command, about: str, *wanted: Argument) -> None:
        command = commands.add_parser(run.__name__[1:], help=about, description=inspect.getdoc(run))
        command.set_defaults(command=run)
        add_all(command, *wanted)

    record = argument("file FILE", type=Path)
    processes = "how many machines think at once, each in a process of its own"
    host = "the address to listen on; 0.0.0.0 admits other machines"
    database = "store the games in PostgreSQL: postgresql://user@host/name (default: LEUTHEN_DATABASE)"
    standby = "wait while another server runs these games; take over when it stops"
    workers = f"{processes}; by default one less than processors, 2 at least"
    add(
        _serve,
        "play in a browser",
        argument("--host", host, default="127.0.0.1"),
        argument("--public-url URL", "the public address, if a proxy is in front", action="append"),
        argument("--port P", "the port; 0 chooses a free one", type=port),
        FOLDER,
        argument("--database URL", database),
        argument("--standby", standby, action="store_true"),
        argument("--memory MB", "memory for games that no player has open", type=positive),
        argument("--workers N", workers, type=positive),
        argument("--open", "open it in the browser", action="store_true"),
        argument("--ruleset MODULE:PLUGIN", "add a rule set of your own", type=ruleset),
        argument("--log", "log every request to standard error", action="store_true"),
        argument("--log-json", "write the log as lines of JSON", action="store_true"),
        argument("--metrics [HOST:]PORT", "serve Prometheus metrics at this address", type=address),
    )
    new = argument("file FILE", "the new backup file; it must not exist", nargs="?", type=Path)
    add(_backup, "back up a server's games", new, FOLDER)
    add(_restore, "restore a backup", record, FOLDER)
    takebacks = "takebacks: never after a roll, by the opponent's consent (default), or free"
    add(
        _play,
        "start a game",
        *RULESET,
        *GAME,
        *seats("human", "captain"),
        argument("--seed S", "roll the same dice each time (default: secret dice)"),
        argument("--takebacks HOW", takebacks, choices=("never", "consent", "free"), default="consent"),
        argument("--record FILE", "the file in which to save the game", type=Path),
        PATIENCE,
    )
    add(
        _resume,
        "continue a game",
        argument("file FILE", nargs="?", type=Path),
        DATA,
        *seats(None, None),
        argument("--seed S", "the seed with which the game was started"),
        PATIENCE,
    )
    add(
        _replay,
        "print or verify a record",
        record,
        argument("--verify", "only check every line and print the final digest", action="store_true"),
        argument("--viewer VIEWER", "the view to print: a side, watcher or everything (default for a finished game)"),
        DATA,
    )
    receipt = "a receipt that a player saved during the game; may be repeated"
    add(
        _verify,
        "check a game played on a server",
        argument("file FILE", "the game file: the record with its proof", type=Path),
        argument("--receipt FILE", receipt, type=Path, action="append", default=[]),
        DATA,
    )
    add(
        _report,
        "write the staff report on a finished game",
        argument("file FILE", "the record", type=Path),
        argument("--json", "print the whole report as JSON", action="store_true"),
        argument("--side SIDE", "report only this side's decisions and knowledge"),
        argument("--seed S", "seed of the simulated dice and hidden forces", default="report"),
        argument("--jobs J", "number of processes", type=positive, default=2),
    )
    add(
        _simulate,
        "play many games between two bots",
        *RULESET,
        *GAME,
        *seats("captain", "captain"),
        argument("--games N", type=positive, default=1),
        argument("--first N", "the number of the first game", type=natural, default=0),
        argument("--seed S", "repeat the same games with the same seed"),
        *RESUMING,
        *ISOLATED,
        argument("--records DIR", "save the record of every game there", type=Path),
        argument("--parquet FILE", "also write a table of the games at the end", type=Path),
    )
    add(
        _ladder,
        "find the better of two bots",
        argument("bots BOT", "or module:Class of your own", nargs=2, type=player),
        argument("--ruleset NAME", type=ruleset),
        *GAME,
        argument("--pairs N", "the most pairs to play (default: 200)", type=positive, default=200),
        argument("--all", "play all pairs, even if the result is certain earlier", action="store_true"),
        argument("--seed S", "repeat the same dice with the same seed", default="ladder"),
        *RESUMING,
        *ISOLATED,
    )
    add(_map, "save the map", argument("-o --output FILE", type=Path, required=True), *RULESET)
    add(_case, "run case files", argument("files FILE", nargs="+", type=Path))
    words = argument("query NUMBER|WORD", nargs="*")
    add(_rules, "look up a rule", words, argument("--ruleset NAME", type=ruleset))
    add(_bots, "list the machine players")
    add(_scenarios, "list scenarios and options", *RULESET)
    return parser


# --- commands ---------------------------------------------------------------------------------------------------------


def _load(args: argparse.Namespace, name: str | None = None) -> TableRuleset:
    return load(name or args.ruleset or DEFAULT, args.data)


def _load_for(args: argparse.Namespace, recorded: Record) -> TableRuleset:
    from leuthen.school.lessons import expect_scenario

    expect_scenario(recorded)
    header = recorded.header
    return _load(args, header.ruleset) if args.data else load_with(header.ruleset, header.data)


def _serve(args: argparse.Namespace) -> int:
    """Runs the web server until Ctrl-C."""
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
    """Starts a game."""
    from leuthen.terminal.start import play

    seats, options = (args.prussia, args.austria), dict(args.options)
    play(_load(args), args.scenario, options, seats, args.seed, args.record, args.takebacks, args.patience)
    return 0


def _resume(args: argparse.Namespace) -> int:
    """Continues a saved game: by default the newest unfinished one."""
    from leuthen.terminal.start import newest_unfinished, resume

    recorded = read(args.file) if args.file else newest_unfinished()
    resume(_load_for(args, recorded), recorded, (args.prussia, args.austria), args.seed, args.patience)
    return 0


def _replay(args: argparse.Namespace) -> int:
    """Prints or verifies a record."""
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
    """Plays many games between two bots; writes one line of JSON per game to standard output or --keep."""
    import secrets

    from leuthen.simulate.bulk import simulate
    from leuthen.simulate.run import GameFailed, GameTask, Match

    bots, options = (args.prussia, args.austria), dict(args.options)
    for bot in bots:
        expect_player(bot)
    ruleset = _load(args)
    ruleset.new_game(args.scenario, options)
    if not (seed := args.seed):
        seed = secrets.token_hex(4)
        print(f"seed {seed}", file=sys.stderr)
    match = Match(ruleset.name, ruleset.digest, args.scenario, options, bots, seed)
    games, one = range(args.first, args.first + args.games), GameTask(match, 0, args.records)
    one = one._replace(isolated=args.isolated, patience=args.patience)
    try:
        simulate(ruleset, one, games, args.jobs, args.on, args.keep, args.parquet)
    except GameFailed as error:
        raise GameFailed(f"{error}; repeat it alone with --seed {seed} --first N --games 1", error.trace) from error
    return 0


def _map(args: argparse.Namespace) -> int:
    """Saves the map as an SVG file to print."""
    sheet = text_of(map_folder(args.ruleset or DEFAULT, args.data) / "wall.svg")
    try:
        args.output.write_text(sheet, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Invalid(f"{args.output}: cannot be written: {error.strerror}") from error
    return 0


def _case(args: argparse.Namespace) -> int:
    """Runs case files: positions with expected results."""
    from leuthen.cases.run import main

    return main(args.files)


def _rules(args: argparse.Namespace) -> int:
    """Finds rules by number, chapter or words in every rule set."""
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
    """Lists the machine players."""
    print("\n".join(BOTS))
    return 0


def _scenarios(args: argparse.Namespace) -> int:
    """Lists the scenarios and options of a rule set."""
    ruleset = _load(args)
    for name, line in ruleset.scenarios.items():
        print(f"{name:<12} {line}")
    for option, values in ruleset.options.items():
        if len(values) > 1:
            print(f"--option {option}={values[0]:<12} or {', '.join(values[1:])}")
    return 0


# --- ladder -----------------------------------------------------------------------------------------------------------


def _ladder(args: argparse.Namespace) -> int:
    """Plays pairs of games with sides swapped and the same dice, until one bot is clearly better."""
    from leuthen.simulate.bulk import run_ladder
    from leuthen.simulate.run import GameTask, Match

    ruleset = load(args.ruleset or DEFAULT)
    for bot in args.bots:
        expect_player(bot)
    options, standing = dict(args.options), None
    ruleset.new_game(args.scenario, options)
    match = Match(ruleset.name, ruleset.digest, args.scenario, options, (args.bots[0], args.bots[1]), args.seed)
    task = GameTask(match, 0, isolated=args.isolated, patience=args.patience)
    for standing in run_ladder(ruleset, task, args.pairs, args.jobs, args.keep, args.on, all_pairs=args.all):
        print(standing, file=sys.stderr, flush=True)
    print(f"{args.bots[0]} against {args.bots[1]}, {ruleset.name} {args.scenario}: {standing}")
    return 0


# --- report -----------------------------------------------------------------------------------------------------------


def _report(args: argparse.Namespace) -> int:
    """Analyses a finished game: chances by turn, costly decisions and luck (docs/report.md)."""
    import msgspec

    from leuthen.report.assemble import make_report
    from leuthen.report.course import course_of
    from leuthen.report.sampling import Sampling
    from leuthen.report.text import report_lines
    from leuthen.simulate.bulk import progress_bars
    from leuthen.simulate.run import run_tasks
    from leuthen.ticking import ticking

    recorded = read(args.file)
    ruleset = load_with(recorded.header.ruleset, recorded.header.data)
    reason = f'"{args.side}" is not a valid side: {" or ".join(ruleset.sides)}'
    require(not args.side or args.side in ruleset.sides, reason)
    if recorded.notice:
        print(recorded.notice, file=sys.stderr)
    course, shown = course_of(ruleset, recorded), {}
    look = partial(_try_orders, ruleset.name, ruleset.digest, args.seed)
    with progress_bars(has_thread=False) as bars, ticking():

        def progress(stage: str, done: int, total: int) -> None:
            if stage not in shown:
                shown[stage] = bars.add_task(stage, total=total)
            bars.update(shown[stage], completed=done, refresh=True)

        report = make_report(
            ruleset, course, Sampling(args.seed), lambda tasks: run_tasks(look, tasks, args.jobs), progress
        )
    if args.json:
        print(msgspec.json.encode(report).decode())
        return 0
    sides = [ruleset.sides.index(args.side)] if args.side else [0, 1]
    for line in report_lines(ruleset, report, sides):
        print(line)
    return 0


def _try_orders(name: str, data: str, seed: str, task: WorldTask) -> TrialResult:
    from leuthen.report.assemble import look
    from leuthen.ticking import ticking

    with ticking():
        return look(name, data, [task], seed)[0]


# --- verify -----------------------------------------------------------------------------------------------------------


WHOLE: Final = 0  # exit code: everything was checked
BROKEN: Final = 1  # exit code: a line is wrong, or the file cannot be checked
SOUND: Final = 3  # exit code: nothing is wrong, but not everything was checked


def _verify(args: argparse.Namespace) -> int:
    """Checks the dice, secrets, sequence and rules of a game file (docs/trust.md)."""
    from leuthen.play.proof.check import UncheckableFile, check, expect_checkable, parse_receipt, read_file
    from leuthen.play.proof.rules import check_rules

    data, receipts = read_file(args.file), [(path, read_file(path)) for path in args.receipt]
    try:
        expect_checkable(args.file, data)
        recorded = parse(args.file, data)
        kept = [parse_receipt(path, found.decode(errors="replace")) for path, found in receipts]
        report, header = check(recorded, kept), recorded.header
        try:
            ruleset = load(header.ruleset, args.data) if args.data else load_with(header.ruleset, header.data)
        except Invalid as error:
            report = report.with_rules_unchecked(f"The rules could not be checked: {error}.")
        else:
            report = check_rules(ruleset, recorded, report)
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


# --- backup and restore -----------------------------------------------------------------------------------------------


def _backup(args: argparse.Namespace) -> int:
    """Copies a server's games. The server may keep running."""
    from leuthen.storage.sqlite import back_up

    print(f"The games were backed up to {back_up(_folder_of(args, 'pg_dump'), args.file)}.")
    return 0


def _restore(args: argparse.Namespace) -> int:
    """Replaces a server's games by a backup and keeps the old ones. Stop the server first."""
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
