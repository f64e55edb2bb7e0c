"""Options shared by several commands, their parsing, and common output lines."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.state import State
from errors import UserError, Where, require_known
from messages import say

if TYPE_CHECKING:
    from services.gold.search_coverage import NotSearched, Searched
    from services.law.activation import Outcome


Note = Annotated[str, option("Why it is changed.")]
Expected = Annotated[
    int | None,
    option("Number of the version that was edited; refused if another was saved."),
]
OfVersion = Annotated[int | None, argument("Of this version; else of now.")]
By = Annotated[str, option("Who acts: the name of an adjudicator.", "--by")]
Reason = Annotated[str, option("Why, in a sentence or two.")]

Gold = Annotated[
    str,
    option(
        "Gold set: people, source (labels of the data) or people-over-source; else the "
        "widest. With :searchable behind it, without gold that is not searched or has no text."
    ),
]
Resamples = Annotated[int, option("How many resamples each interval is drawn from: 100 to 20000.")]
HolmOver = Annotated[
    str,
    option("What Holm's correction is over: the tests of one measure, or of the whole table."),
]

Stratum = Annotated[str, option("Only questions of one value of a column: column=value.")]
Systems = Annotated[
    list[str] | None, option("Only this system's answers; may be repeated.", "--system")
]
TagsOf = Annotated[
    str,
    option("Form the groups from this model's tags, not from people's.", "--tags-of"),
]
Licence = Annotated[str, option("Licence to state in the datasheet; else it says not stated.")]
Rate = Annotated[float, option("Highest learning rate.")]
Warmup = Annotated[float, option("Share of the run until it is reached.")]
Device = Annotated[str, option("auto, cpu or cuda.")]
Threads = Annotated[int, option("Processor threads; 0: as torch chooses.")]
Seed = Annotated[int, option("Everything that is drawn depends on it.")]
ModelFolder = Annotated[
    Path, argument("Folder of the model; a stopped or killed run goes on there.")
]
BaseModel = Annotated[str, option("Model to begin with: a folder, or a name.")]
SpecFile = Annotated[
    Path | None, option("YAML file that describes the method, in place of --method.")
]


def parse_stratum(text: str) -> tuple[str, str] | None:
    """Parse ``column=value``; None for "". Raises UserError if malformed."""
    if not text:
        return None
    column, sign, value = text.partition("=")
    if not (sign and column.strip()):
        raise UserError("stratum_form", said=text)
    return column.strip(), value.strip()


def id_of_actor(state: State, name: str) -> int:
    """Return the id of the person named in --by, of any role. Raises UserError if unknown."""
    return id_of_person(state, name, "by")


def id_of_person(state: State, name: str, field: str = "name") -> int:
    """Return the id of the person named in option `field`. Raises UserError if unknown."""
    from annotation.people.members import list_people

    known = {each.name: each.id for each in list_people(*state.chosen)}
    require_known("person_unnamed", known, Where(field=field), name=name)
    return known[name]


def chosen_spec(method: str, file: Path | None, options: Mapping[str, object]) -> dict[str, object]:
    """Return the spec in `file`, or that of a preset or method overridden by `options`."""
    from retrieval.core.registry import known_names, spelled_out, unknown_method
    from retrieval.core.spec_file import parse_spec

    if file is None:
        if method not in known_names():
            raise unknown_method(method)
        parameters = {name: value for name, value in options.items() if value is not None}
        return {**spelled_out(method), **parameters}
    try:
        return parse_spec(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("spec_unreadable", Where(str(file))) from error


def searched_lines(searched: Searched, outside: NotSearched | None) -> list[str]:
    """Return the lines on the levels a run searched, and the gold outside them."""
    lines = [say("levels.searched_note", levels=searched.say())]
    if outside is not None and outside.units:
        lines.append(say("levels.missed_note", **outside.counted()))
    return lines


def searched_json(searched: Searched, outside: NotSearched | None) -> dict[str, Any]:
    """Return the levels a run searched and the gold outside them, as JSON values."""
    counts = None if outside is None else outside.as_dict()
    return {"searched": searched.code, "not_searched": counts}


def outcome_lines(outcome: Outcome | None) -> list[str]:
    """Return the lines on the effects of changed law, and the commands to run next."""
    if outcome is None:
        return []
    lines = outcome.lines()
    if outcome.to_check.any:
        lines.append("`touchstone.py compare` lists what is to be checked again.")
    if outcome.to_check.lacking:
        lines.append("`touchstone.py candidates` makes the candidates that are lacking.")
    return lines


def outcome_counts(outcomes: Mapping[str, int], unanswered: int = 0) -> list[str]:
    """Return the lines on what LLM work came to, and what got no answer, if anything."""
    counts = {**outcomes, **({"no answer": unanswered} if unanswered else {})}
    return [f"  {name:<16} {count:>7,}" for name, count in counts.items()]


def ended_early(done: Any) -> list[str]:
    """Return the line on why LLM work ended early; empty if it did not."""
    from services.models.asking import reason_words

    if done.end == "done":
        return []
    return [f"{say(f'background.end.{done.end}')} {reason_words(done.reason)}".strip()]


def number_of(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: ``1 question``, ``1,204 questions``."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def working_time(seconds: float | None) -> str:
    """Return the working time on an answer, which may be "not known" or from another tool."""
    from annotation.work.submissions import plausible_seconds

    if seconds is None:
        return "from another tool"
    known = plausible_seconds(seconds)
    return "time not known" if known is None else f"{known:.0f} s"
