"""Command groups, in the order of the help page; each feature adds its commands to one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias

import typer

Command: TypeAlias = Callable[..., None]


class Group(typer.Typer):
    """A command group; its commands are functions that take the `State` first."""

    def command(self, name: str) -> Callable[[Command], Command]:  # type: ignore[override]
        """Return the decorator that registers a function as command `name`."""

        def add(function: Command) -> Command:
            """Register the function as a command."""
            super(Group, self).command(name)(with_state(function))
            return function

        return add


def with_state(function: Command) -> Command:
    """Wrap a command function for Typer: the context, which holds the `State`, comes first."""
    first, *others = inspect.signature(function, eval_str=True).parameters.values()

    @wraps(function)
    def called(context: typer.Context, **arguments: Any) -> None:
        """Call the function with the state of the command line."""
        function(context.obj, **arguments)

    context = inspect.Parameter("context", first.kind, annotation=typer.Context)
    called.__signature__ = inspect.Signature([context, *others])  # type: ignore[attr-defined]
    called.__annotations__ = {each.name: each.annotation for each in (context, *others)}
    return called


def with_options(choices: Callable[..., Any]) -> Callable[[Command], Command]:
    """Add the options of `choices` to a command; its result becomes the second argument."""

    def decorate(function: Command) -> Command:
        """Give a command the shared options."""

        @wraps(function)
        def called(state: Any, *words: Any, **arguments: Any) -> None:
            """Call the command with its options converted."""
            function(state, choices(state, *words, **arguments))

        called.__signature__ = inspect.signature(choices, eval_str=True)  # type: ignore[attr-defined]
        return called

    return decorate


COMMANDS = Group()
"""The whole command line."""


def group(name: str, summary: str, within: Group = COMMANDS) -> Group:
    """Create a command group within another."""
    added = Group(name=name, help=summary)
    within.add_typer(added)
    return added


PERSON = group("person", "Add people to the project, and say what they are in it.")
ACCOUNT = group("account", "Make and tend the accounts that people sign in with (team mode).")
GUIDELINE = group("guideline", "Read and edit guidelines and codebooks, and take answers over.")
ASSIGN = group("assign", "Give items to people in batches.")
ADJUDICATE = group("adjudicate", "Settle the questions on which annotators differ.")
AMENDED = group("amended", "What of every task rests on amended law, and what becomes of it.")
IMPORT = group("import", "Read statutes, questions or annotations into the project.")
GRAPH = group("graph", "Build the citation graph, walk it, describe it and map it.")
CITATIONS = group("citations", "Read the citations of any text in the law in use.")
ANSWERS = group(
    "answers", "Answers that models write from stated evidence: plan, ask, read, report, export."
)
JUDGE = group("judge", "Judges of answers: bring in, ask, report, and what to review.")
ATTRIBUTION = group("attribution", "Claims and citations of answers: cut, label, review, report.")
CASES = group("cases", "Court cases: bring judgments in, list and read them.")
GROUPS = group("groups", "Standard groups of court cases, and the typology behind them.")
PARALLEL = group(
    "parallel",
    "Parallel groups of provisions: declare them, decide on those that likeness proposes.",
)
AUGMENT = group("augment", "Questions that a model writes by axes: type, difficulty and facets.")
AXES = group(
    "axes",
    "The axes: facets, types, levels, the rubric and domains, as a text with versions.",
    AUGMENT,
)
CASCADE = group(
    "cascade", "The layers that augmented questions go through: run, report, read, restore."
)
LAYERS = group("layers", "The layers as a text with versions.", CASCADE)
SPLIT = group("split", "Divide the gold into train, dev and test, and see what parts share.")
DATASHEET = group(
    "datasheet", "What only people know of the data: show it, fill it in, see its versions."
)
CLOSURE = group(
    "closure", "Gold that is probably incomplete: what is missing by rule, and what becomes of it."
)
RULES = group("rules", "The rules of closure: read them, compare, save a version.", CLOSURE)
DOWNSTREAM = group(
    "downstream", "How much what stands before a model helps it to answer: none, retrieved, gold."
)
READINGS = group(
    "readings",
    "What is read out of each unit for methods: entities, relations, triples, questions.",
)
RESEARCH = group(
    "research",
    "Questions whose rule of law people research: items, and the passages that they found.",
)
SEARCH = group("search", "Search statutes and court cases.")
STRICTER = group("stricter", "Stricter groups of court cases, and the benchmarks made of them.")
LEGALSEARCHLM = group(
    "legalsearchlm", "Generative retrieval: prepare pairs, train a model on them, evaluate it."
)
LLM = group("llm", "Language models: which are set, what they cost, do they answer.")
MCQ = group("mcq", "Multiple-choice questions that need two provisions.")
CURATION = group("curation", "Questions that a model wrote: give them to people, admit those kept.")
QUESTIONS = group("questions", "Questions of a project: multiple-choice ones as yes/no questions.")
REFORMULATE = group(
    "reformulate",
    "Options of multiple-choice questions as yes/no questions that people approve.",
    QUESTIONS,
)
TASK = group("task", "Tasks of a project's own: add them, list them, write their labels.")
OCR = group("ocr", "Pages of law as images: bring in, draft, publish, report.")
FACTORS = group("factors", "Factors of court cases: codebook, items, suggestions, agreement.")
CODEBOOK = group(
    "codebook", "The codebook of factors: read, check, import, export, compare.", FACTORS
)
EXPORT = group("export", "Write the project's gold, runs or annotations to files.")
RUN = group("run", "Runs of retrieval methods, ours and those of other systems.")
VIEW = group("view", "Saved views of the leaderboard: list and remove them.", RUN)
EXPERIMENT = group("experiment", "Experiments as files: check, run, list and read them.")
PAPER = group("paper", "Make the tables of published papers again from the project's own data.")
FIGURE = group("figure", "Draw figures of questions and runs as SVG or PNG, or their data.")
INDEX = group("index", "Indexes of retrieval methods that are kept on disk.")
