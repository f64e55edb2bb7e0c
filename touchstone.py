"""Touchstone's command line, and what a notebook imports.

``python touchstone.py`` is the command line: the same work as the app, without a browser.
``import touchstone`` gives law, methods and figures from files and data frames, without a database:
the names of `library.PUBLIC`, each imported when it is first asked for.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from typer.core import TyperGroup

    from annotation.tasks.contract import check_task as check_task
    from corpus.graph.model import Graph as Graph
    from corpus.importers.registry import Importer as Importer
    from corpus.model import Question as Question
    from corpus.run import Hit as Hit
    from corpus.run import Run as Run
    from corpus.run import best as best
    from evaluation.figure import Figure as Figure
    from evaluation.ranking.compare import Comparison as Comparison
    from library.evaluation import Plot as Plot
    from library.evaluation import Result as Result
    from library.evaluation import evaluate as evaluate
    from library.evaluation import plot_differences as plot_differences
    from library.evaluation import plot_measures as plot_measures
    from library.extensions import check_exporter as check_exporter
    from library.extensions import check_importer as check_importer
    from library.extensions import check_measure as check_measure
    from library.files import read_qrels as read_qrels
    from library.files import read_run as read_run
    from library.files import write_run as write_run
    from library.law import Found as Found
    from library.law import Law as Law
    from library.law import load_law as load_law
    from library.law import load_questions as load_questions
    from library.law import sample as sample
    from library.models import register as register
    from retrieval.core.contract import Check as Check
    from retrieval.core.contract import check_method as check_method
    from retrieval.core.method import Method as Method
    from retrieval.core.method import Resources as Resources
    from retrieval.core.model import Corpus as Corpus
    from retrieval.core.model import Document as Document
    from retrieval.core.model import Parameter as Parameter
    from retrieval.core.model import Query as Query

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback while the packages load

try:
    import typer
    from typer.exceptions import TyperException
    from typer.main import get_group
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.exit(
        "touchstone: this Python lacks the packages. "
        "Run 'make run' once, then: .venv/bin/python touchstone.py"
    )

from commands.shell.groups import COMMANDS
from commands.shell.state import (
    EXIT_INTERRUPTED,
    asks_for_json,
    common_options_first,
    leave_quietly,
    new_state,
    only_json,
    print_json,
    report_defect,
    report_stop,
    report_usage,
    report_user_error,
)
from errors import UserError

__version__ = "1.0.0"
"""The version; pyproject.toml reads it here."""

app = typer.Typer(
    help="Build and prove the gold data of legal retrieval.",
    epilog="Exit codes: 0 done, 2 wrong usage, 3 an error you can mend, 70 a defect, 130 stopped.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.add_typer(COMMANDS)
ROOMS = (
    *("shell.workspace", "agreement", "history", "law.snapshots", "law.importing"),
    *("runs.scoring", "runs.leaderboard", "figures", "people", "guidelines", "batches"),
    *("law.watch", "exchange", "law.graph", "answers.asking", "answers.report"),
    *("judging", "attribution"),
    *("cases.court_cases", "cases.standard_groups", "parallel", "augmentation", "cascade", "gold"),
    "release",
    *("closure", "downstream", "readings", "research", "stricter", "legalsearchlm", "models"),
    *("mcq.questions", "mcq.disputes", "curation", "reformulation", "ocr", "tagging.tags"),
    *("tagging.codebook", "runs.marks", "runs.questions", "runs.experiments", "tasks"),
    *("adjudication", "audit", "papers"),
)
"""The modules of commands: each group has its commands in this order, a module's after those of
what it imports."""
for room in ROOMS:
    import_module(f"commands.{room}")


def _tell_version(requested: bool) -> None:
    """Print the version and exit, if requested."""
    if not requested:
        return
    if asks_for_json(sys.argv[1:]):
        print_json({"version": __version__})
    else:
        typer.echo(f"touchstone {__version__}")
    raise typer.Exit


@app.callback()
def common(
    context: typer.Context,
    workspace: Annotated[
        Path | None,
        typer.Option(help="Workspace folder; else $TOUCHSTONE_WORKSPACE, else .touchstone."),
    ] = None,
    project: Annotated[
        str | None, typer.Option(help="Project name; may be left out while there is only one.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_tell_version, help="Print the version and end."
        ),
    ] = False,
) -> None:
    """Keep the options that every command reads."""
    context.obj = new_state(workspace, project, as_json)
    if as_json:
        context.with_resource(only_json())


FLOORS = (
    *("annotation", "commands", "construction", "corpus", "errors", "evaluation", "library", "llm"),
    *("messages", "normalization", "pages", "retrieval", "services", "serving", "storage"),
)
"""The packages that Touchstone is made of; they lie beside this file."""


def __getattr__(name: str) -> Any:
    """Return a public name of the library; nothing of it is imported before.

    Raises AttributeError for any other, ImportError where another module has taken the name of one
    of the floors.
    """
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    public = _public()
    if name == "__all__":
        return list(public)
    if name not in public:
        raise AttributeError(f"module 'touchstone' has no attribute {name!r}")
    return getattr(import_module(public[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_public()})


@cache
def _public() -> dict[str, str]:
    """Return the module of each public name, once no other module stands in the way of a floor."""
    home = Path(__file__).resolve().parent
    for floor in FLOORS:
        spec = getattr(sys.modules.get(floor), "__spec__", None) or find_spec(floor)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if origin is None or origin.parent.parent != home:
            taken = f"touchstone needs the name '{floor}', which {origin or 'another module'} has"
            raise ImportError(f"{taken} taken: rename that, or start Python in another folder.")
    public: dict[str, str] = import_module("library").PUBLIC
    return public


GARBAGE = 500_000, 20, 20  # objects made until cycles among them are looked for


def program() -> int:
    """Run the command line as all that this process does, and return its exit code.

    Packages and rows have next to no cycles that go before the process does, so that they are
    looked for seldom (what a command imports are 250,000 objects), and not once more at the end.
    """
    gc.set_threshold(*GARBAGE)
    quiet_libraries()
    try:
        return main()
    finally:
        gc.freeze()


LIBRARIES = ("huggingface_hub", "sentence_transformers", "torch", "transformers")


def quiet_libraries() -> None:
    """Keep warnings of libraries off the terminal, unless Python was asked for them (-W).

    They are for who writes programs with them; what a user can mend is said by our own errors.
    """
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    for name in LIBRARIES:
        logging.getLogger(name).setLevel(logging.ERROR)


def main() -> int:
    """Run the command line and return its exit code; no traceback reaches the user."""
    arguments = common_options_first(sys.argv[1:])
    try:
        code = _run(arguments, asks_for_json(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        return leave_quietly()
    return code


@cache
def _command() -> TyperGroup:
    """Return the whole command line, made once: a process may run many commands."""
    return get_group(app)


def _run(arguments: list[str], as_json: bool) -> int:
    """Run the command line; print an error that ends it, and return the exit code."""
    try:
        code = _command()(arguments, standalone_mode=False) or 0
    except UserError as error:
        return report_user_error(_named_as_typed(error, arguments), as_json)
    except BrokenPipeError:
        raise
    except TyperException as error:
        return report_usage(error, as_json)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except Exception as error:
        logging.getLogger("touchstone").debug("defect", exc_info=True)
        return report_defect(error, as_json)
    return report_stop(as_json) if code == EXIT_INTERRUPTED else int(code)


def _named_as_typed(error: UserError, arguments: list[str]) -> UserError:
    """Return the error with its file named as it was typed, its folder included."""
    from corpus.files.given_paths import as_given

    words = [word.partition("=")[2] if word[:2] == "--" else word for word in arguments]
    return as_given(error, words)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(program())
