"""A declaration of one group, on the law of `tests.projects.small_law`."""

SMALL = """\
slots:
- key: university
  label: {en: University, ko: 대학}
- key: company
  label: {en: Company, ko: 영리기관}
groups:
- key: lamps
  label: {en: Lamps, ko: 등불}
  tier: act
  members:
  - {slot: university, unit: 나루법_1조}
  - {slot: company, unit: 나루법_3조}
"""
