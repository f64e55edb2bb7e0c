"""A typology of two categories that the tests of mapping, coverage and writing share."""

from __future__ import annotations

SMALL = """\
statutes:
- names: [형법, Criminal Act]
- names: [성폭력범죄의 처벌 등에 관한 특례법, 성폭력처벌법]
categories:
- key: honour
  label: {en: Honour, ko: 명예}
  charges:
  - key: defamation
    label: {en: Defamation, ko: 명예훼손, zh: 诽谤罪}
    source: paper
    groups:
    - key: fact
      label: {en: By fact, ko: 사실 적시}
      provisions: [형법 제307조 제1항]
    - key: falsehood
      label: {en: By falsehood, ko: 허위 사실 적시}
      provisions: [형법 제307조 제2항, 刑法第二百四十六条]
    - key: unspecified
      label: {en: Defamation, ko: 명예훼손}
  - key: insult
    label: {en: Insult, ko: 모욕}
- key: sexual
  label: {en: Sexual crime, ko: 성범죄}
  charges:
  - key: false_images
    label: {en: False images, ko: 성폭력범죄의처벌등에관한특례법위반(허위영상물편집·반포등)}
    titles: ["Violation of the Act on False Images, etc. (Making)"]
    groups:
    - key: distribution
      label: {en: Distributing, ko: 반포}
      provisions: [성폭력처벌법 제14조의2 제2항]
    - key: profit
      label: {en: Distributing for profit, ko: 영리 목적 반포}
      provisions: ["성폭력처벌법 제14조의2 제2항 + 성폭력처벌법 제14조의2 제3항"]
"""
