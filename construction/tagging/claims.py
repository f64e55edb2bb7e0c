"""The three fixed options of a claim, as they are called and when they fit.

The options are the paper's (002, Table 17); the explanations are written here.
"""

from __future__ import annotations

from construction.tagging.codebook import CLAIM_OPTIONS, Option

_SAID = {
    "not_mentioned": (
        {"en": "Not mentioned", "ko": "주장 없음"},
        {
            "en": "The judgment does not show that the defendant or counsel made this claim.",
            "ko": "피고인이나 변호인이 이러한 주장을 하였다는 내용이 판결문에 없습니다.",
        },
    ),
    "claimed_not_accepted": (
        {"en": "Claimed, not accepted", "ko": "주장하였으나 배척"},
        {
            "en": "The defendant or counsel made this claim and the court rejected it, "
            "expressly or by a finding that cannot stand beside it.",
            "ko": "피고인이나 변호인이 주장하였고, 법원이 명시적으로 또는 이와 양립할 수 없는 "
            "판단으로 배척하였습니다.",
        },
    ),
    "claimed_accepted": (
        {"en": "Claimed, accepted", "ko": "주장하여 인정"},
        {
            "en": "The court accepted the claim, wholly or in the part that concerns this count.",
            "ko": "법원이 주장의 전부 또는 해당 공소사실에 관한 부분을 받아들였습니다.",
        },
    ),
}

CLAIM_ANSWERS = tuple(Option(key, *_SAID[key]) for key in CLAIM_OPTIONS)
