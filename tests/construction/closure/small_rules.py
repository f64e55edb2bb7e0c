"""Rules of every kind for the little law of closure."""

from __future__ import annotations

RULES = """\
domains:
- key: costs
  label: {en: Costs, ko: 비용}
  words: [간접비, indirect costs]
  articles: [나루법_1조]
sanctions:
- key: fine
  label: {en: Fine, ko: 과태료}
  words: [과태료, fine]
  headings: [과태료]
  except: [절차]
rules:
- key: r1
  label: {en: Domain, ko: 분야}
  triggers:
  - {domain: any}
  add:
  - {articles_of: domain}
- key: r2
  label: {en: Applied, ko: 준용}
  triggers:
  - {edges: [applies]}
  add:
  - {neighbours: [applies]}
- key: r3
  label: {en: Approval, ko: 승인}
  condition: all
  triggers:
  - {words: [부득이], in: [question]}
  - {words: [정원], in: [heading, text]}
  add:
  - {articles: [나루법_5조]}
- key: r4
  label: {en: Sanction, ko: 제재}
  triggers:
  - {sanction: [fine], in: [question, heading]}
  add:
  - {articles_of: sanction}
- key: annexes
  label: {en: Criteria, ko: 기준}
  triggers:
  - {words: [과태료], in: [text]}
  add:
  - {neighbours: [references, specifies], direction: both, headings: [기준], levels: [article]}
"""
