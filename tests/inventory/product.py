"""What the product offers, read from the product itself: one sorted list for each kind of thing."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from messages import catalogue
from scripts.architecture_doc import FLOORS
from tests.conftest import ROOT

FILE_NAME = re.compile(
    r"[\w.-]*\.(csv|db|gz|html?|jpe?g|jsonl?|md|png|qrels|svg|tar|tex"
    r"|tiff?|toml|trec|tsv|txt|xml|ya?ml|zip)|\.(tab|text)"
)
WORD = re.compile(r'["}]([\w.-]+)"')
SETTING = re.compile(r"TOUCHSTONE_[A-Z_]+")
CONTROLS = {
    *("button", "form_submit_button", "download_button", "link_button", "file_uploader", "tabs"),
    *("checkbox", "toggle", "radio", "pills", "segmented_control", "selectbox", "multiselect"),
    *("text_input", "text_area", "number_input", "slider", "select_slider", "date_input"),
    *("expander", "popover", "data_editor", "camera_input", "time_input"),
}
FIELDS = {  # of `pages.shell.fields`, by the control that each draws
    **{"text": "text_input", "lines": "text_area", "number": "number_input", "tick": "checkbox"},
    **{"switch": "toggle", "pick": "selectbox", "pick_any": "selectbox", "several": "multiselect"},
    **{"file": "file_uploader", "press": "button"},
}
OUR_CONTROLS = {
    *("choose", "choose_counted", "choose_task", "download", "download_row", "draw_parts"),
    *("draw_view", "screen_link"),
}
SAYS = {"say", "words"}  # what a page calls to get the words of a key
KEY = re.compile(r"[a-z_]+(\.[\w{}]+)+")
WORDS = re.compile(r"[a-z_]+(\.[a-z_]+)*")  # of a form's prefix, or a field's name


def commands() -> Iterator[str]:
    """Yield every command, each spelling of its options, and each value of an option with choices.

    An argument is written in capitals.
    """
    import typer.main

    from scripts.cli_docs import commands as every_command
    from touchstone import app

    for path, command in every_command(typer.main.get_command(app)):
        name = " ".join(path)
        yield name or "touchstone"
        for parameter in getattr(command, "params", ()):
            spellings = [*parameter.opts, *parameter.secondary_opts]
            choices = [*_choices(parameter.type_descriptor.annotation)]
            for spelling in (each for each in spellings if each != "--help"):
                option = spelling if spelling.startswith("-") else spelling.upper()
                yield f"{name} {option}".strip()
                yield from (f"{name} {option} {each}" for each in choices)


def screens() -> Iterator[str]:
    """Yield every screen: its address, its title, and the act that its link asks for."""
    import app
    from messages import say

    for name in app.PAGES:
        act = app.ONLY_FOR.get(name)
        yield f"/{name}  {say(f'app.pages.{name}')}  ({act or 'everybody'})"


def controls() -> Iterator[str]:
    """Yield every control of the screens: its kind, and the key of its words in the catalogue.

    What the page fills in stands as ``{}``; a control whose words come from elsewhere is not told.
    """
    for file in sorted((ROOT / "pages").rglob("*.py")):
        module = ast.parse(file.read_text(encoding="utf-8"))
        forms = _forms(module)
        for scope in (each for each in ast.walk(module) if isinstance(each, ast.FunctionDef)):
            given = _assigned(scope)
            for call in (each for each in ast.walk(scope) if isinstance(each, ast.Call)):
                function, label = call.func, _named(call, "label")
                kind = getattr(function, "attr", getattr(function, "id", ""))
                ours = isinstance(function, ast.Name) and kind in OUR_CONTROLS
                if ours or (isinstance(function, ast.Attribute) and kind in CONTROLS):
                    parts = call.args if ours else [*call.args[:1], *label]
                    yield from (f"{kind}  {key}" for key in _keys(parts, given, ours))
                elif forms and isinstance(function, ast.Attribute) and kind in FIELDS:
                    keys = _keys(label, given, False) if label else _fields(forms, call, given)
                    yield from (f"{FIELDS[kind]}  {key}" for key in keys)


def keys() -> Iterator[str]:
    """Yield every key of the keyboard with what it does and where."""
    from pages.shell.navigation import key_map

    for action in key_map().values():
        places = ", ".join(sorted(place or "every task" for place in action.on))
        yield from (f"{key!r}  {action.name}  ({places})" for key in (*action.keys, *action.also))


def roles() -> Iterator[str]:
    """Yield every act with each role that may do it."""
    from annotation.people.roles import MAY

    yield from (f"{act}  {role}" for act, whose in MAY.items() for role in whose)


def files() -> Iterator[str]:
    """Yield every name and ending of a file that the product reads or writes."""
    return (text for text in _texts() if FILE_NAME.fullmatch(text))


def settings() -> Iterator[str]:
    """Yield every variable of the environment that is the product's own."""
    return (text for text in _texts() if SETTING.fullmatch(text))


def formats() -> Iterator[str]:
    """Yield every format that law is read in with its endings, and every task of annotations."""
    from corpus.importers.registry import FORMATS
    from storage.tasks import Task

    yield from (f"law {name}  {end}" for name, each in FORMATS.items() for end in each.endings)
    yield from (f"annotations of {task}" for task in Task)


def api() -> Iterator[str]:
    """Yield every public name of the library with its parameters, and its members."""
    from scripts.api_doc import members, public

    for name, thing in public():
        yield _with_parameters(name, thing)
        for member, value in members(thing) if inspect.isclass(thing) else ():
            yield _with_parameters(f"{name}.{member}", getattr(value, "__func__", value))


def methods() -> Iterator[str]:
    """Yield every method with its parameters (values, default, condition), and every preset."""
    from retrieval.core.preset_specs import PRESETS
    from retrieval.core.registry import BUILT_IN, parameters

    for name in BUILT_IN:
        yield f"method {name}"
        for each in parameters(name):
            order = "" if each.orders else "  (scores only)"
            when = f"  when {each.when}" if each.when else ""
            yield f"method {name}  {each.name}  {each.takes()}  {each.default!r}{when}{order}"
    yield from (f"preset {name}  {preset}" for name, preset in PRESETS.items())


def measures() -> Iterator[str]:
    """Yield every measure by the name that its report gives it."""
    from evaluation.mcq.safety import MEASURES as OF_PAIRS
    from evaluation.ranking.scoring import LEADERBOARD, OFFERED
    from services.answers.report_views import Measure
    from services.attribution.corrected import MEASURES as OF_CLAIMS

    yield from (f"ranking  {measure}" for measure in (*LEADERBOARD, *OFFERED))
    yield from (f"answers  {measure}" for measure in Measure)
    yield from (f"attribution  {measure}" for measure in OF_CLAIMS)
    yield from (f"mcq pairs  {measure}" for measure in OF_PAIRS)


LISTS: dict[str, Callable[[], Iterator[str]]] = {
    each.__name__: each
    for each in (
        *(commands, screens, controls, keys, roles, files, settings),
        *(formats, api, methods, measures),
    )
}


def listed(name: str) -> list[str]:
    """Return a list as the product has it now: sorted, each line once."""
    return sorted(set(LISTS[name]()))


def kept(name: str) -> list[str]:
    """Return a list as it is kept beside this module."""
    return path(name).read_text(encoding="utf-8").splitlines()


def path(name: str) -> Path:
    """Return the file that keeps a list."""
    return Path(__file__).with_name(f"{name}.txt")


def _choices(annotation: object) -> Iterator[str]:
    """Yield the values that a parameter of this type can have, where they are told one by one."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        yield from (str(each.value) for each in annotation)
    elif get_origin(annotation) is Literal:
        yield from map(str, get_args(annotation))
    else:
        yield from (choice for part in get_args(annotation) for choice in _choices(part))


def _texts() -> Iterator[str]:
    """Yield the texts of one word in the source, with the ends of those that begin with values."""
    for file in (file for floor in FLOORS for file in _modules(floor)):
        yield from WORD.findall(file.read_text(encoding="utf-8"))


def _modules(floor: str) -> list[Path]:
    return [*(ROOT / floor).rglob("*.py")] if (ROOT / floor).is_dir() else [ROOT / f"{floor}.py"]


def _named(call: ast.Call, name: str) -> list[ast.expr]:
    return [each.value for each in call.keywords if each.arg == name]


_Given = list[tuple[set[str], ast.expr]]  # what a function assigns to which names


def _assigned(scope: ast.AST) -> _Given:
    given: _Given = []
    for made in (each for each in ast.walk(scope) if isinstance(each, ast.Assign)):
        for to in made.targets:
            if isinstance(to, ast.Tuple) and isinstance(made.value, ast.Tuple):
                given += [
                    ({ast.unparse(e)}, v) for e, v in zip(to.elts, made.value.elts, strict=False)
                ]
            else:
                given.append(({ast.unparse(to)}, made.value))
    return given


def _with_given(parts: list[ast.expr], given: _Given) -> list[ast.expr]:
    """Return expressions, and what is assigned to the names in them."""
    names = {each.id for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)}
    return [*parts, *(value for targets, value in given if names & targets)]


def _forms(module: ast.Module) -> set[str]:
    """Return the prefixes that the fields of a module's forms have in the catalogue."""
    calls = (each for each in ast.walk(module) if isinstance(each, ast.Call))
    made = [each.args[1] for each in calls if _called(each) == "Fields" and len(each.args) > 1]
    parts = _with_given(made, _assigned(module))
    return {text for part in parts for node in ast.walk(part) for text in _texts_of(node, WORDS)}


def _fields(forms: set[str], call: ast.Call, given: _Given) -> Iterator[str]:
    """Yield the catalogue's keys that a field of one of these forms may have."""
    parts = _with_given(call.args[:1], given)
    names = [text for part in parts for text in _texts_of(part, WORDS)]
    yield from (key for form in forms for name in names if (key := f"{form}.{name}") in catalogue())


def _keys(parts: list[ast.expr], given: _Given, bare: bool) -> Iterator[str]:
    """Yield the catalogue's keys in expressions; a name stands for what its function assigns it.

    A control of ours takes the key itself (`bare`), Streamlit's the words that ``say`` returns.
    """
    for node in (each for part in _with_given(parts, given) for each in ast.walk(part)):
        if isinstance(node, ast.Call) and _called(node) in SAYS and node.args:
            yield from _texts_of(node.args[0])
        elif bare:
            yield from filter(_known, _texts_of(node))


@cache
def _known(text: str) -> bool:
    """Return True for the beginning of a key of the catalogue, or one that the page fills in."""
    return "{" in text or any(key.startswith(text) for key in catalogue())


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _texts_of(node: ast.expr | ast.AST, like: re.Pattern[str] = KEY) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from (*_texts_of(node.body, like), *_texts_of(node.orelse, like))
    text = "".join(
        part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "{}"
        for part in (node.values if isinstance(node, ast.JoinedStr) else [node])
    )
    if like.fullmatch(text):
        yield text


def _with_parameters(name: str, thing: Any) -> str:
    try:
        given = inspect.signature(thing).parameters if callable(thing) else {}
    except (TypeError, ValueError):
        given = {}
    shown = ", ".join(each for each in given if each not in ("self", "cls"))
    return f"{name}({shown})" if callable(thing) else name
