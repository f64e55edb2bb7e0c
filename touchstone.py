"""Touchstone's command line: the same work as the app, without a browser."""

from __future__ import annotations

import logging
import signal
import sys
from pathlib import Path
from typing import Annotated

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback while the packages load

try:
    import typer
    from typer.exceptions import TyperException
except ModuleNotFoundError:
    sys.exit(
        "touchstone: this Python lacks the packages. "
        "Run 'make run' once, then: .venv/bin/python touchstone.py"
    )

from commands import (
    accounts,
    adjudicate,
    agreement,
    assign,
    backup,
    cases,
    compare,
    data,
    exchange,
    experiment,
    factor_items,
    factor_report,
    factor_suggest,
    factors,
    figures,
    graph,
    groups,
    guidelines,
    history,
    index,
    judge,
    leaderboard,
    levels,
    llm,
    mcq,
    mcq_settle,
    ocr,
    people,
    report,
    runs,
    scoring,
    snapshots,
    stricter,
    workspace,
)
from commands.state import (
    EXIT_INTERRUPTED,
    asks_for_json,
    common_options_first,
    leave_quietly,
    new_state,
    report_defect,
    report_stop,
    report_usage,
    report_user_error,
)
from errors import UserError

app = typer.Typer(
    help="Build and prove the gold data of legal retrieval.",
    epilog="Exit codes: 0 done, 2 wrong usage, 3 an error you can mend, 70 a defect, 130 stopped.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
importing = typer.Typer(help="Read statutes, questions or annotations into the project.")
exporting = typer.Typer(help="Write the project's gold, runs or annotations to files.")
assigning = typer.Typer(help="Give items to people in batches.")
adjudicating = typer.Typer(help="Settle the questions on which annotators differ.")
graphing = typer.Typer(help="Build the citation graph, walk it and describe it.")

figuring = typer.Typer(help="Draw figures of questions and runs as SVG or PNG, or their data.")
guiding = typer.Typer(help="Read and edit guidelines and codebooks, and take answers over.")
judging = typer.Typer(help="Judges of answers: bring in, ask, report, and what to review.")
paging = typer.Typer(help="Pages of law as images: bring in, draft, publish, report.")
questioning = typer.Typer(help="Multiple-choice questions that need two provisions.")
modelling = typer.Typer(help="Language models: which are set, what they cost, do they answer.")
experimenting = typer.Typer(help="Experiments as files: check, run, list and read them.")
grouping = typer.Typer(help="Standard groups of court cases, and the typology behind them.")
factoring = typer.Typer(help="Factors of court cases: codebook, items, suggestions, agreement.")
case_reading = typer.Typer(help="Court cases: bring judgments in, list and read them.")
factor_book = typer.Typer(help="The codebook of factors: read, check, import, export, compare.")
case_matching = typer.Typer(help="Stricter groups of court cases, and the benchmarks made of them.")
indexing = typer.Typer(help="Indexes of retrieval methods that are kept on disk.")
running = typer.Typer(help="Runs of retrieval methods, ours and those of other systems.")
placing = typer.Typer(help="Add people to the project, and say what they are in it.")
signing = typer.Typer(help="Make and tend the accounts that people sign in with (team mode).")


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
) -> None:
    """Keep the options that every command reads."""
    context.obj = new_state(workspace, project, as_json)


app.command("init")(workspace.init)
app.command("serve")(workspace.serve)
app.command("status")(workspace.status)
app.command("check")(workspace.check)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("project")(workspace.project)
placing.command("add")(people.add)
placing.command("role")(people.role)
placing.command("rename")(people.rename)
placing.command("deactivate")(people.deactivate)
placing.command("reactivate")(people.reactivate)
placing.command("list")(people.listing)
placing.command("invite")(people.invite)
app.add_typer(placing, name="person")
signing.command("add")(accounts.add)
signing.command("password")(accounts.password)
signing.command("reset")(accounts.reset)
signing.command("deactivate")(accounts.deactivate)
signing.command("reactivate")(accounts.reactivate)
signing.command("list")(accounts.listing)
app.add_typer(signing, name="account")
app.command("agreement")(agreement.agreement)
app.command("history")(history.history)
guiding.command("list")(guidelines.listing)
guiding.command("show")(guidelines.show)
guiding.command("edit")(guidelines.edit)
guiding.command("diff")(guidelines.difference)
guiding.command("decisions")(guidelines.made_under)
guiding.command("migrate")(guidelines.migrate)
app.add_typer(guiding, name="guideline")
assigning.command("make")(assign.make)
assigning.command("people")(assign.people)
assigning.command("overlap")(assign.overlap)
assigning.command("deadline")(assign.deadline)
assigning.command("out")(assign.take_out)
assigning.command("close")(assign.close)
assigning.command("known")(assign.known)
assigning.command("list")(assign.list_all)
app.add_typer(assigning, name="assign")
adjudicating.command("list")(adjudicate.listing)
adjudicating.command("show")(adjudicate.show)
adjudicating.command("decide")(adjudicate.decide)
adjudicating.command("refer")(adjudicate.refer)
adjudicating.command("recall")(adjudicate.recall)
adjudicating.command("ask")(adjudicate.ask)
adjudicating.command("requests")(adjudicate.requests)
adjudicating.command("give-back")(adjudicate.give_back)
adjudicating.command("decline")(adjudicate.decline)
app.add_typer(adjudicating, name="adjudicate")
importing.command("statutes")(data.statutes)
importing.command("questions")(data.questions)
importing.command("annotations")(exchange.bring_in)
importing.command("labels")(exchange.labels)
app.add_typer(importing, name="import")
graphing.command("build")(graph.build)
graphing.command("neighbours")(graph.neighbours)
graphing.command("report")(report.report)
app.add_typer(graphing, name="graph")
judging.command("cases")(judge.cases)
judging.command("answer")(judge.answer)
judging.command("verdicts")(judge.verdicts)
judging.command("ratings")(judge.ratings)
judging.command("run")(judge.run)
judging.command("report")(judge.report)
judging.command("waiting")(judge.waiting)
judging.command("export")(judge.export)
app.add_typer(judging, name="judge")
case_reading.command("preview")(cases.preview)
case_reading.command("import")(cases.bring_in)
case_reading.command("list")(cases.listing)
case_reading.command("show")(cases.show)
case_reading.command("patterns")(cases.patterns)
app.add_typer(case_reading, name="cases")
grouping.command("report")(groups.report)
grouping.command("list")(groups.listing)
grouping.command("left-out")(groups.left_out)
grouping.command("query")(groups.query)
grouping.command("typology")(groups.typology)
grouping.command("versions")(groups.versions)
grouping.command("preview")(groups.preview)
grouping.command("save")(groups.save)
app.add_typer(grouping, name="groups")
factor_book.command("show")(factors.show)
factor_book.command("check")(factors.check)
factor_book.command("import")(factors.bring_in)
factor_book.command("export")(factors.export)
factor_book.command("diff")(factors.difference)
factoring.add_typer(factor_book, name="codebook")
case_matching.command("list")(stricter.listing)
case_matching.command("show")(stricter.show)
case_matching.command("export")(stricter.export)
case_matching.command("evaluate")(stricter.evaluate)
app.add_typer(case_matching, name="stricter")
modelling.command("status")(llm.status)
modelling.command("calls")(llm.calls)
modelling.command("test")(llm.test)
modelling.command("prompts")(llm.prompts)
modelling.command("prompt")(llm.prompt)
app.add_typer(modelling, name="llm")
questioning.command("generate")(mcq.generate)
questioning.command("import")(mcq.bring_in)
questioning.command("solve")(mcq.solve)
questioning.command("report")(mcq.report)
questioning.command("replies")(mcq.replies)
questioning.command("export")(mcq.export)
questioning.command("disputes")(mcq_settle.listing)
questioning.command("show")(mcq_settle.show)
questioning.command("settle")(mcq_settle.settle)
app.add_typer(questioning, name="mcq")
paging.command("import")(ocr.bring_in)
paging.command("draft")(ocr.draft)
paging.command("list")(ocr.listing)
paging.command("publish")(ocr.publish)
paging.command("report")(ocr.report)
app.add_typer(paging, name="ocr")
factoring.command("items")(factor_items.items)
factoring.command("suggest")(factor_suggest.suggest)
factoring.command("suggestions")(factor_suggest.setting)
factoring.command("report")(factor_report.report)
factoring.command("tags")(factor_report.tags)
factoring.command("disputes")(factor_report.disputes)
factoring.command("dispute")(factor_report.show)
factoring.command("settle")(factor_report.settle)
app.add_typer(factoring, name="factors")
app.command("levels")(levels.levels)
app.command("snapshots")(snapshots.snapshots)
app.command("compare")(compare.compare)
app.command("candidates")(data.candidates)
exporting.command("gold")(scoring.gold)
exporting.command("annotations")(exchange.write_out)
exporting.command("run")(scoring.run_file)
app.add_typer(exporting, name="export")
app.command("retrieve")(scoring.retrieve)
app.command("methods")(scoring.methods)
app.command("leaderboard")(leaderboard.leaderboard)
running.command("import")(runs.import_file)
app.add_typer(running, name="run")
app.command("evaluate")(scoring.evaluate)
experimenting.command("check")(experiment.check)
experimenting.command("run")(experiment.run)
experimenting.command("list")(experiment.listing)
experimenting.command("show")(experiment.show)
experimenting.command("export")(experiment.export)
experimenting.command("starters")(experiment.starters)
app.add_typer(experimenting, name="experiment")
figuring.command("neighbourhood")(figures.neighbourhood)
figuring.command("hits")(figures.hits)
figuring.command("similarity")(figures.similarity)
figuring.command("bars")(figures.bars)
app.add_typer(figuring, name="figure")
app.command("statistics")(figures.statistics)
indexing.command("list")(index.listing)
indexing.command("clear")(index.clear)
app.add_typer(indexing, name="index")


def main() -> int:
    """Run the command line and return its exit code; no traceback reaches the user."""
    arguments = common_options_first(sys.argv[1:])
    try:
        code = _run(arguments, asks_for_json(arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        return leave_quietly()
    return code


def _run(arguments: list[str], as_json: bool) -> int:
    try:
        code = app(arguments, standalone_mode=False) or 0
    except UserError as error:
        return report_user_error(error, as_json)
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


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
