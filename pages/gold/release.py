"""Releases: what people say of one, its figures, and the download."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.reports import draw_report
from pages.shell.widgets import download
from services.bundle import releases_folder, zipped
from services.gold.release import keep_release, kept_releases, who_is_named
from storage.export.about import About

_DONE = "gold-released"
_EXAMPLES = {
    **{"name": "", "version": "1.0.0", "licence": "", "title": ""},
    **{"url": "https://", "doi": "10.5281/…"},
}
"""An example of what stands in each line of the form."""


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
        fields = Fields(context, "release", "release")
        about, since = _form(fields, known)
        names = _naming(fields)
        shut_off = not ready or names is None
        if fields.press("run", type="primary", icon=":material/package_2:", disabled=shut_off):
            _release(context, about, since, bool(names))
        project, done = st.session_state.get(_DONE, (None, None))
        if project == context.project and done is not None:
            name = f"{done.about.name}-{done.about.version}"
            words = say("release.done", name=name, count=len(done.files))
            st.success(md_literal(words), icon=":material/check_circle:")
            st.markdown(md_literal(done.audit.lead))
            draw_report(context, done.report, "release")
        _downloads(context, kept_releases(*context.here, context.by))


def _form(fields: Fields, known: list[str]) -> tuple[About, str]:
    """Draw the fields of a release; return them, and the name of the release before."""
    boxes = (*fields.row(3), *fields.row(3))
    texts = {
        name: box.text("data_title" if name == "title" else name, placeholder=example, key=name)
        for box, (name, example) in zip(boxes, _EXAMPLES.items(), strict=True)
    }
    left, right = fields.row(2)
    description, authors = left.lines("description"), right.lines("authors")
    last = next(iter(known), None)
    since = fields.pick("since", known, first=last, none="release.first", key=f"since-{len(known)}")
    people = tuple(authors.splitlines())
    return About(**texts, description=description, authors=people), since


def _naming(fields: Fields) -> bool | None:
    """Draw the choice of naming people; return it, None if unconfirmed or nobody is named."""
    context = fields.context
    if not fields.tick("name_people", key="names"):
        return False
    named, _ = who_is_named(*context.here, context.by)
    if not named:
        st.info(context.say("release.nobody"))
        return None
    words = context.say("release.sure", named=", ".join(named))
    return True if fields.tick("sure", label=md_literal(words)) else None


def _release(context: Context, about: About, since: str, name_people: bool) -> None:
    """Make the release, and keep its report for display."""
    st.session_state.pop(_DONE, None)
    with guarded(context.language), st.spinner(context.say("release.run")):
        done = keep_release(
            *context.here,
            about,
            by=context.by,
            names=name_people,
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
