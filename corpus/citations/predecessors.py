"""Obsolete titles of instruments that live on under another.

Public legal knowledge about statutes that were renamed, or replaced by several. A merely renamed
act keeps its articles, so its old title is one more name of it. An act that was replaced was
renumbered: its article numbers do not carry over, so a citation of it is recognised and its
successors are named, but it resolves to no unit.
"""

from __future__ import annotations

from corpus.citations.names import normal

# Replaced on 1 December 2022 (Acts No. 18522 and No. 18523).
_FIRE_FACILITIES = "소방시설 설치 및 관리에 관한 법률"
_FIRE_PREVENTION = "화재의 예방 및 안전관리에 관한 법률"

_REPLACED: dict[str, tuple[str, ...]] = {
    "화재예방, 소방시설 설치ㆍ유지 및 안전관리에 관한 법률": (_FIRE_FACILITIES, _FIRE_PREVENTION),
    "소방시설 설치ㆍ유지 및 안전관리에 관한 법률": (_FIRE_FACILITIES, _FIRE_PREVENTION),
    # Replaced in 2004 by four acts, one of which was replaced again in 2022.
    "소방법": (
        "소방기본법",
        "소방시설공사업법",
        "위험물안전관리법",
        _FIRE_FACILITIES,
        _FIRE_PREVENTION,
    ),
    "승강기시설 안전관리법": ("승강기 안전관리법",),
    "시설물의 안전관리에 관한 특별법": ("시설물의 안전 및 유지관리에 관한 특별법",),
}
# Renamed without renumbering.
_RENAMED: dict[str, str] = {
    "매장문화재 보호 및 조사에 관한 법률": "매장유산 보호 및 조사에 관한 법률",
    "지진재해대책법": "지진ㆍ화산재해대책법",
    "풍수해보험법": "풍수해ㆍ지진재해보험법",
}

REPLACED = {normal(old): new for old, new in _REPLACED.items()}
RENAMED = {normal(old): normal(new) for old, new in _RENAMED.items()}
