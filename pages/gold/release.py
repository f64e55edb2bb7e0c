"""Releases: what people say of one, its figures, and the download."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.reports import draw_report
from pages.shell.widgets import download, select
from services.bundle import releases_folder, zipped
from services.gold.release import keep_release, kept_releases, who_is_named
from storage.export.about import About

_DONE = "gold-released"
_FIELDS = {  # of a release: their label, help and example
    "name": ("name", "name_help", ""),
    "version": ("version", "", "1.0.0"),
    "licence": ("licence", "licence_help", ""),
    "title": ("data_title", "title_help", ""),
    "url": ("url", "", "https://"),
    "doi": ("doi", "", "10.5281/…"),
}


@fragment
def draw_release(context: Context, ready: bool) -> None:
    """Draw the form of a release, the release just made, and those made before."""
    say = context.say
    shut = st.expander(
        say("release.title"), icon=":material/package_2:", on_change="rerun", key="release-open"
    )
    if not shut.open:
        return
    with shut:
        st.caption(say("release.help"))
        known = kept_releases(*context.here, context.by)
        about, since = _form(context, known)
        names = _names(context)
        if st.button(
            say("release.run"),
            type="primary",
            icon=":material/package_2:",
            disabled=not ready or names is None,
            key="release-run",
        ):
            _release(context, about, since, bool(names))
        project, done = st.session_state.get(_DONE, (None, None))
        if project == context.project and done is not None:
            name = f"{done.about.name}-{done.about.version}"
            words = say("release.done", name=name, count=len(done.files))
            st.success(md_literal(words), icon=":material/check_circle:")
            st.markdown(md_literal(done.audit.lead))
            draw_report(context, done.report, "release")
        _downloads(context, kept_releases(*context.here, context.by))


def _form(context: Context, known: list[str]) -> tuple[About, str]:
    """Draw the fields of a release; return them, and the name of the release before."""
    say = context.say
    said: dict[str, str] = {}
    boxes = (*st.columns(3), *st.columns(3))
    for box, (name, (label, hint, example)) in zip(boxes, _FIELDS.items(), strict=True):
        said[name] = box.text_input(
            say(f"release.{label}"),
            help=say(f"release.{hint}") if hint else None,
            placeholder=example or None,
            key=f"release-{name}",
        )
    description, people = st.columns(2)
    said["description"] = description.text_area(
        say("release.description"), key="release-description"
    )
    authors = people.text_area(say("release.authors"), key="release-authors") or ""
    earlier = {"": say("release.first")} | {each: each for each in known}
    about = {"index": min(1, len(known)), "help": say("release.since_help")}
    since = select(context, "release.since", earlier, f"release-since-{len(known)}", **about)
    texts = {key: text or "" for key, text in said.items()}
    return About(**texts, authors=tuple(authors.splitlines())), since or ""


def _names(context: Context) -> bool | None:
    """Draw the choice of naming people; None while it is not confirmed."""
    if not st.checkbox(context.say("release.name_people"), key="release-names"):
        return False
    named, _ = who_is_named(*context.here, context.by)
    if not named:
        st.info(context.say("release.nobody"))
        return None
    words = context.say("release.sure", named=", ".join(named))
    return True if st.checkbox(md_literal(words), key="release-sure") else None


def _release(context: Context, about: About, since: str, names: bool) -> None:
    """Make the release, and keep its report for display."""
    st.session_state.pop(_DONE, None)
    with guarded(context.language), st.spinner(context.say("release.run")):
        done = keep_release(
            *context.here,
            about,
            by=context.by,
            names=names,
            since=since,
            language=context.language,
        )
        st.session_state[_DONE] = context.project, done


def _downloads(context: Context, known: list[str]) -> None:
    """Draw the downloads of earlier releases."""
    if not known:
        return
    st.markdown(f"**{context.say('release.again')}**")
    for name in known:
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown(md_literal(name))
        folder = releases_folder(*context.here) / name
        words = context.say("release.download")
        download(words, partial(zipped, folder), f"{name}.zip", f"release-zip-{name}", row)
