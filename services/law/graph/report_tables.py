"""Graph report in the reader's language: degrees, tiers, edges, references, with pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpus.graph.model import Origin
from corpus.graph.report import GoldTopology, GraphReport, Hub
from evaluation.figure import Figure, mean_figure, share_figure
from evaluation.ranking.compare import CROSSED, crossed
from evaluation.reports.report import (
    Chart,
    Kind,
    Report,
    Section,
    Shape,
    Sheet,
    Word,
    Words,
)
from messages import say
from retrieval.text.tokenise import OFFERED

_OUTCOMES = ("resolved", "ambiguous", "unresolved")
_QUANTILES = ("p50", "p75", "p95")
_SHARES = ("share", "part", "of_all", "of_gold", "conditional", "cross_document", "chains")
_KINDS = dict.fromkeys(("mean", *_QUANTILES), Kind.SECONDS) | dict.fromkeys(_SHARES, Kind.SHARE)
_MEASURED = {  # distributions by section, each with its head
    "lengths": {e: e for e in ("characters", "tokens", "sub_items", "cites")}
    | {"paragraphs": "paragraphs_per_article"},
    "gold": {
        "provisions": "provisions_per_question",
        "documents": "statutes_per_question",
        "hops": "hops",
    },
}
_COMPONENTS = ("count", "single", "largest_component", "bridging")
_Rows = Iterable[Mapping[str, Any]]


def as_report(found: GraphReport, language: str) -> Report:
    """Return the report; how gold lies in the graph where its reader may see that."""
    words = Words("graph_report", language)
    sections = (
        _degrees(found, words),
        _between(found, words),
        _references(found, words),
        _bars("not_resolved", "reason", "count", found.reasons, words, "why."),
        _edges(found, words),
        _nodes(found, words),
        _bars("tiers", "tier", "count", found.tiers, words),
        _statutes(found, words),
        _spreads("lengths", found, _lengths_note(found, words), words),
        _components(found, words),
        _communities(found, words),
        _hubs("cited", found.cited, words, words("hubs_note"), found.names),
        _hubs("citing", found.citing, words, words("hubs_note"), found.names),
        *_gold(found, words),
    )
    names = ("statutes", "units", "tokeniser", "orphans_deleted")
    facts: dict[str, Any] = {name: getattr(found, name) for name in names}
    facts |= {"nodes_all": sum(found.nodes.values()), "edges_all": _edge_count(found)}
    if each := found.paragraphs:
        facts |= {"articles": each.n, "paragraphs": round(each.n * each.mean)}
    of = found.communities
    facts |= {"modularity": of.modularity, "communities_found": of.count, "method": of.method}
    if (gold := found.gold) is not None:
        facts |= {name: getattr(gold, name) for name in ("questions", "several", "chains")}
        pairs = sum(each.provisions for each in gold.places.values())
        facts |= {"gold_set": found.gold_set, "gold_pairs": pairs, "gold_provisions": gold.units}
        facts |= {"gold_in_graph": pairs / max(1, pairs + gold.outside)}
    return Report("graph", words("title"), sections, facts=facts)


def _section(
    name: str,
    rows: _Rows,
    words: Words,
    chart: Chart,
    lead: str = "",
    *notes: str,
    opens: str = "",
) -> Section:
    """Return a section of the report, its columns headed in the reader's language."""
    own = {each: words(f"origin.{each}") for each in Origin} | {
        "resolved": words("resolved_count"),
        "name": words("provision"),
        "statute": words("statute"),
        "provision": words("provision_id"),
    }
    rows = list(rows)
    own |= {key: key.removeprefix("by_") for row in rows for key in row if key.startswith("by_")}
    heads = {str(key): text for key, text in own.items()} | {each: each for each in _QUANTILES}
    sheet = Sheet.of(rows, words, _KINDS, heads | {"n": "n"})
    return Section(name, words(name), sheet, lead, chart, notes, opens)


def _bars(
    name: str, label: str, value: str, counts: Mapping[Any, int], words: Words, prefix: str = ""
) -> Section:
    """Return counts by name as bars, those of 0 left out."""
    rows = [
        {label: _tier(key, words) if label == "tier" else _word(key, prefix, words), value: count}
        for key, count in counts.items()
        if count
    ]
    return _section(name, rows, words, Chart(Shape.FUNNEL, (label,), (value,)))


def _word(key: Any, prefix: str, words: Words) -> Word | str:
    """Return a value as a translated word, plain without a prefix."""
    return words.word(str(key), prefix) if prefix else str(key)


def _tier(tier: int, words: Words) -> Word:
    """Return a tier's number and name."""
    return Word(str(tier), f"{tier} · {say(f'mapping.tier.{tier}', words.language)}")


def _degrees(found: GraphReport, words: Words) -> Section:
    """Return the distribution of citations to and from units."""
    rows = [
        {"degree": degree, "units_cited": inward, "units_citing": outward}
        for degree, (inward, outward) in found.degrees.items()
    ]
    lead = ""
    if found.cited:
        alone, hub = found.degrees["0"][0], found.cited[0]
        share = f"{alone / found.units:.0%}".replace("%", " %")
        told = {"share": share, "alone": alone, "units": found.units, "unit": hub.unit_id}
        lead = words("degrees_lead", **told, degree=hub.degree)
    chart = Chart(Shape.BARS, ("degree",), ("units_cited", "units_citing"), legend=words("units"))
    return _section("degrees", rows, words, chart, lead, words("hubs_note"))


def _between(found: GraphReport, words: Words) -> Section:
    """Count the citations between tiers."""
    rows = [
        {"cited_tier": _tier(cited, words), "citing_tier": _tier(citing, words), "count": count}
        for (citing, cited), count in found.between.items()
    ]
    lead, most = "", max(found.between.values(), default=0)
    largest = [pair for pair, count in found.between.items() if count == most]
    if len(largest) == 1:
        citing, cited = (_tier(tier, words).text for tier in largest[0])
        counts = {"most": f"{most:,}", "total": f"{sum(found.between.values()):,}"}
        lead = words("between_lead", citing=citing, cited=cited, **counts)
    chart = Chart(Shape.HEAT, ("cited_tier", "citing_tier"), ("count",))
    return _section("between", rows, words, chart, lead, words("hubs_note"))


def _references(found: GraphReport, words: Words) -> Section:
    """Count the references by outcome of their resolution."""
    rows, done, total = [], 0, 0
    for each in found.references:
        outcomes = {name: getattr(each, name) for name in _OUTCOMES}
        every = sum(outcomes.values())
        done, total = done + each.resolved, total + every
        form = words.word(each.form, "form_name.")
        rows.append({"form": form, **outcomes, "share": each.resolved / every})
    lead = words("resolved_help", resolved=f"{done:,}", total=f"{total:,}") if total else ""
    chart = Chart(Shape.STACK, ("form",), _OUTCOMES, legend=words("references_axis"))
    return _section("references", rows, words, chart, lead)


def _edges(found: GraphReport, words: Words) -> Section:
    """Count the edges by type and origin."""
    origins = [o for o in Origin if any(o in counts for counts in found.edges.values())]
    rows = [
        {
            "type": Word(kind, say(f"corpus.edge.{kind}", words.language)),
            "total": sum(counts.values()),
            "part": sum(counts.values()) / max(1, _edge_count(found)),
            **{str(origin): counts.get(origin, 0) for origin in origins},
        }
        for kind, counts in found.edges.items()
    ]
    chart = Chart(Shape.STACK, ("type",), tuple(map(str, origins)), legend=words("edges"))
    return _section("edges", rows, words, chart)


def _edge_count(found: GraphReport) -> int:
    return sum(sum(counts.values()) for counts in found.edges.values())


def _statutes(found: GraphReport, words: Words) -> Section:
    """Return the largest statutes."""
    rows = [
        {"statute": each.statute_id, "tier": _tier(each.tier, words)}
        | {"articles": each.articles, "paragraphs": each.paragraphs}
        for each in found.largest
    ]
    chart = Chart(Shape.FUNNEL, ("statute",), ("articles",))
    return _section("largest_statutes", rows, words, chart)


def _nodes(found: GraphReport, words: Words) -> Section:
    """Count the units by level, with those without citations."""
    rows = [
        {"kind": words.word(kind, "level."), "count": count, "orphans": found.orphans.get(kind)}
        for kind, count in found.nodes.items()
        if count
    ]
    note = words("orphans_note", deleted=found.orphans_deleted)
    return _section("nodes", rows, words, Chart(Shape.FUNNEL, ("kind",), ("count",)), "", note)


def _lengths_note(found: GraphReport, words: Words) -> str:
    """Return a note on how many units were measured, and with which tokeniser."""
    known = found.tokeniser in OFFERED
    name = words(f"tokeniser.{found.tokeniser}") if known else found.tokeniser
    n = found.characters.n if found.characters else 0
    return words("lengths_note", n=f"{n:,}", tokeniser=name)


def _spreads(name: str, found: Any, note: str, words: Words) -> Section:
    """Return the distributions of `_MEASURED` by name: lengths of units, or gold per question."""
    rows = []
    for key, head in _MEASURED[name].items():
        if (spread := getattr(found, key)) is not None:
            named = {each: getattr(spread, each) for each in ("n", "mean", *_QUANTILES, "largest")}
            rows.append({"unit": Word(key, words(head)), **named})
    chart = Chart(Shape.BARS, ("unit",), _QUANTILES, legend=words("quantiles"))
    return _section(name, rows, words, chart, "", note)


def _components(found: GraphReport, words: Words) -> Section:
    """Return the connected components with and without containment."""
    named = {"without_part_of": found.without_part_of, "with_part_of": found.with_part_of}
    rows = [
        {
            "edges_used": words.word(name),
            "count": each.count,
            "single": each.single,
            "largest_component": each.largest,
            "spans": each.statutes,
            "bridging": each.bridging,
        }
        for name, each in named.items()
    ]
    chart = Chart(Shape.BARS, ("edges_used",), _COMPONENTS, legend=words("count"))
    return _section("components", rows, words, chart, "", words("components_note"))


def _communities(found: GraphReport, words: Words) -> Section:
    """Return the communities with their sizes."""
    each = found.communities
    sizes = enumerate(zip(each.sizes, each.statutes, strict=True), 1)
    rows = [{"community": str(n), "nodes": size, "statutes": own} for n, (size, own) in sizes]
    lead = words("communities_none")
    if each.modularity is not None:
        told = {"count": each.count, "modularity": f"{each.modularity:.3f}"}
        lead = words("communities_said", method=words(each.method), **told)
    chart = Chart(Shape.FUNNEL, ("community",), ("nodes",))
    return _section("communities", rows, words, chart, lead)


def _hubs(
    name: str,
    hubs: Sequence[Hub],
    words: Words,
    note: str,
    names: Mapping[str, tuple[str, str]],
    value: str = "degree",
) -> Section:
    """Return units by degree under what readers call them; each opens its text."""
    rows = []
    for hub in hubs:
        named, statute = names.get(hub.unit_id, (None, None))
        about = {"name": named, "statute": statute, "provision": hub.unit_id}
        rows.append(about | {value: hub.degree})
    called = [row["name"] for row in rows]
    labels = ("name",) if len({*called, None}) > len(called) else ("name", "statute", "provision")
    chart = Chart(Shape.FUNNEL, labels, (value,))
    return _section(name, rows, words, chart, "", note, opens="provision")


def _gold(found: GraphReport, words: Words) -> Iterator[Section]:
    """Yield the sections on gold's place in the graph."""
    gold = found.gold
    if gold is None:
        return
    told = {"chains": f"{gold.chains:,}", "several": f"{gold.several:,}"}
    note = words("gold_note", n=f"{gold.questions:,}", **told)
    yield _spreads("gold", gold, note, words)
    yield _shares("gold_hops", "hops", gold.by_hops, words, "questions", "of_all")
    yield _shares("gold_levels", "kind", gold.levels, words, "count", "of_gold")
    if found.parts:
        yield _gold_strata(found, gold, words)
    name = say(f"gold_sets.name.{found.gold_set}", words.language)
    yield _hubs("gold_cited", gold.cited, words, name, found.names, "questions")


def _shares(
    name: str, label: str, counts: Mapping[str, int], words: Words, value: str, share: str
) -> Section:
    """Return counts with their shares of all."""
    prefix, total = "level." if label == "kind" else "", sum(counts.values())
    rows = [
        {label: _word(key, prefix, words), value: n, share: share_figure(label, n, total)}
        for key, n in counts.items()
        if n or label == "hops"
    ]
    return _section(name, rows, words, Chart(Shape.FUNNEL, (label,), (value,)))


def _gold_strata(found: GraphReport, gold: GoldTopology, words: Words) -> Section:
    """Return the place of gold in the graph, for all questions and by stratum."""
    rows: list[dict[str, Any]] = []
    every = [*gold.places]
    for value, questions in {"all": tuple(every), **found.parts}.items():
        told = [each or words("not_stated") for each in value.split(CROSSED)]
        name = words.word("all") if value == "all" else CROSSED.join(told)
        among = [q for v, some in found.parts.items() if _outer(v) == _outer(value) for q in some]
        figures = _profile(found, gold, questions, among if CROSSED in value else every)
        crossing = crossed(found.split, value, words("not_stated")).items()
        by_column = {f"by_{column}": each for column, each in crossing}
        rows.append({"stratum": name, **by_column, **figures})
    chart = Chart(Shape.FOREST, ("stratum",), ("provisions", "hops"), legend=words("mean"))
    return _section("gold_strata", rows, words, chart, "", words("gold_strata_note"))


def _outer(value: str) -> str:
    """Return a combination of values without the last one."""
    return value.rpartition(CROSSED)[0]


def _profile(
    found: GraphReport, gold: GoldTopology, questions: Iterable[str], among: Sequence[str]
) -> dict[str, Figure | int]:
    """Return the means and shares of these questions' gold, and their share of `among`."""
    known = {name: gold.places[name] for name in questions if name in gold.places}
    n = len(known)
    means = {
        name: mean_figure(name, [getattr(each, name) for each in known.values()])
        for name in ("provisions", "documents", "hops")
    }
    counts = {
        "of_all": (n, len(among)),
        "conditional": (len(found.conditional & known.keys()), n),
        "cross_document": (sum(each.documents > 1 for each in known.values()), n),
        "chains": (sum(each.is_chain for each in known.values()), n),
    }
    shares = {name: share_figure(name, *count) for name, count in counts.items()}
    return {"questions": n, **shares, **means}
