"""Metadata of a release as Croissant 1.1 with its vocabulary for responsible AI (RAI)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from normalization.hashing import file_hash
from storage.export.about import PLATFORM, About, Config, bibtex, dump_json

FILE = "croissant.json"
_OTHER_TERMS = {  # of the context: those that are not of Croissant's own names
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
    "sc": "https://schema.org/",
}
_TERMS = (
    *("@language", "@vocab", "arrayShape", "citeAs", "column", "conformsTo", "containedIn", "cr"),
    *("rai", "data", "dataType", "dct", "description", "equivalentProperty", "examples"),
    *("extract", "field", "fileProperty", "fileObject", "fileSet", "format", "includes"),
    *("isArray", "isLiveDataset", "jsonPath", "key", "md5", "name", "parentField", "path"),
    *("recordSet", "references", "regex", "repeated", "replace", "samplingRate", "sc"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT = {name: _OTHER_TERMS.get(name, f"cr:{name}") for name in _TERMS}
_TYPES = {"bool": "sc:Boolean", "int32": "sc:Integer", "int64": "sc:Integer", "float64": "sc:Float"}
_RAI = {  # RAI property: section and question of the datasheet
    "dataCollection": ("collection", "where the questions come from, and their rights"),
    "annotatorDemographics": ("collection", "who the people are, and what qualifies them"),
    "dataAnnotationProtocol": ("labelling", "how people were instructed and trained"),
    "dataUseCases": ("uses", "intended uses"),
    "dataLimitations": ("uses", "unfit uses"),
    "dataBiases": ("composition", "known limits, errors and noise"),
    "personalSensitiveInformation": (
        "composition",
        "confidential, personal or offensive content",
    ),
    "dataReleaseMaintenancePlan": ("maintenance", "updates, errata and older versions"),
}


def croissant_json(
    about: About,
    languages: tuple[str, ...],
    configs: tuple[Config, ...],
    facts: Mapping[str, Mapping[str, Any]],
    folder: Path,
) -> str:
    """Return croissant.json for the files in `folder`; `facts` are those of the datasheet."""
    url = about.url or (f"https://doi.org/{about.doi}" if about.doi else "")
    said = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.1",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": about.name,
        "description": about.description,
        "alternateName": about.title,
        "creator": [{"@type": "sc:Organization", "name": each} for each in about.authors],
        "datePublished": about.date,
        "version": about.version + ".0" * (2 - about.version.count(".")),
        "license": about.licence_url or about.licence,
        **({"url": url} if url else {}),
        "inLanguage": list(languages),
        "keywords": ["information retrieval", "legal retrieval", "benchmark"],
        "citeAs": bibtex(about),
        "isLiveDataset": False,
        **{f"rai:{name}": text for name, text in _responsible(facts)},
        "distribution": list(_distribution(configs, folder)),
        "recordSet": [each for config in configs for each in _record_sets(config)],
    }
    return dump_json(said)


def _responsible(facts: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of the platform, and of each RAI property that the datasheet answers."""
    for name, (section, question) in _RAI.items():
        answer = facts[section].get(question)
        if answer:
            yield name, answer
    yield "dataAnnotationPlatform", PLATFORM
    times = [facts["collection"].get(f"{which} decision") for which in ("first", "last")]
    if all(times):
        yield "dataCollectionTimeFrame", times
    given = facts["labelling"].get("submissions per question", {})
    if given:
        yield "annotationsPerItem", ", ".join(f"{n} for {count}" for n, count in given.items())


def _distribution(configs: tuple[Config, ...], folder: Path) -> Iterator[dict[str, Any]]:
    """Yield a FileObject for each file of the configurations, with its size and hash."""
    for path in (path for config in configs for path in config.files.values()):
        yield {
            "@type": "cr:FileObject",
            "@id": path,
            "name": path,
            "contentUrl": path,
            "contentSize": f"{(folder / path).stat().st_size} B",
            "encodingFormat": "application/jsonlines",
            "sha256": file_hash(folder / path),
        }


def _record_sets(config: Config) -> Iterator[dict[str, Any]]:
    """Yield a record set for each file of a configuration."""
    for split, path in config.files.items():
        name = config.name if len(config.files) == 1 else f"{config.name}-{split}"
        yield {
            "@type": "cr:RecordSet",
            "@id": name,
            "name": name,
            "field": [
                {
                    "@type": "cr:Field",
                    "@id": f"{name}/{each['name']}",
                    "name": each["name"],
                    "dataType": _TYPES.get(each.get("dtype", ""), "sc:Text"),
                    "source": {
                        "fileObject": {"@id": path},
                        "extract": {"column": each["name"]},
                    },
                }
                for each in config.features
                if "dtype" in each
            ],
        }
