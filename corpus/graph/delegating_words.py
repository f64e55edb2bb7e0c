"""Phrases by which a provision delegates a matter to a lower instrument, by its tier.

Earlier patterns are more specific. A matter is delegated to a notice by 정하여 고시한다, 고시로
정한다, 훈령으로 정하는, determine and publicly notify; less clearly by 고시하여야 한다; and to a
notice or a manual by 소방청장이 정하는, prescribed by the Minister.
"""

from __future__ import annotations

import re

from corpus.model import Tier

_AGENCY = (
    r"[가-힣]{0,12}(?:장관|청장|처장|원장|위원장|위원회|본부장|총장|이사장|기관의\s?장)(?:이|가|은)\s?"
    r"(?:[가-힣ㆍ,·\s]{0,30}?(?:협의하여|거쳐|받아|따라|각각)\s)?"
)
_DECIDES = r"(?:따로\s?|별도로\s?)?정(?:하는|한다|할|하며|하고|하되|한(?=\s))"
_SORT = r"(?:고시|훈령|예규|지침|공고|요령|세칙)"
_GUIDE = r"(?:지침|매뉴얼|편람|안내서|해설서|요령)"
_PRESCRIBED = (
    r"\b(?:prescrib|determin|specif|provid|designat|establish|stipulat|fix|set|la(?:id|y)|publish"
    r"|issu)\w*\b[^.;]{0,60}?\b(?:by|in|through)\s(?:(?:an?|the|its|public|official|separate"
    r"|administrative|ministerial|detailed|operational|relevant)\s)*"
)
_HEAD = (
    r"(?:(?:Prime )?Minister|Administrator|Commissioner|Secretary|Director|Chair\w*|Commission"
    r"|Agency|Authority|President of the)"
)
_BY_AGENCY = (
    re.compile(
        _AGENCY
        + _DECIDES
        + r"|\b(?:prescribed|determined|specified|set|designated)(?: separately)?"
        rf" by the (?:[A-Z]\w+ ){{0,3}}?{_HEAD}\b"
        rf"|\b{_HEAD}\b[^.;]{{0,60}}? (?:shall|may)(?: separately)? "
        r"(?:prescribe|determine|specify)\b"
    ),
)
LEFT_TO = {
    Tier.DECREE: (
        re.compile(
            r"대통령령(?:으로|이|에서)?\s?(?:따로\s)?(?:정|규정)|by (?:the )?Presidential Decree"
        ),
    ),
    Tier.RULE: (
        re.compile(
            r"(?:[가-힣]{1,12}부령|총리령|(?:대법원|국회|헌법재판소|중앙선거관리위원회)규칙)"
            r"(?:으로|이|에서)?\s?(?:따로\s)?(?:정|규정)|by (?:the )?(?:Ordinance|Decree) of the"
            r"|by (?:the )?Ministerial (?:Rule|Ordinance|Decree)"
        ),
    ),
    Tier.NOTICE: (
        re.compile(
            r"(?<![가-힣])제?정(?:하여|하고|해)\s?(?:이를\s|그\s내용을\s)?(?:[가-힣\s]{1,14}에\s)?(?:고시|공고)"
            rf"|{_SORT}(?:으로|로)\s?(?:따로\s)?(?:정[하한할]|규정[하한할])"
            r"|\b(?:determin|prescrib|specif|establish|set|fix)\w*,? and (?:shall )?"
            r"(?:(?:publicly |officially )(?:notif|announc)|(?:publish|notif|announc)\w* publicly)"
            + rf"|{_PRESCRIBED}"
            r"(?:notices?|notifications?|directives?|circulars?|established rules?|guidelines?)\b"
            r"(?! to\b)",
        ),
        re.compile(
            # Not the publication of something done: 지정한 사실을 고시하여야 한다.
            r"(?<![를을]\s)(?<!없이\s)고시(?:하는|한다|하여야|해야|할\s수)"
            r"|(?:기준|방법|절차|사항|요건|범위|세부[가-힣]{0,4})을\s고시(?:하는|한다|하여야|해야|할\s수)"
            r"|\b(?:shall|may) (?:publicly notify|give public notice|announce publicly)\b"
            r"|\bpublicly (?:notified|announced) by\b"
        ),
        *_BY_AGENCY,
    ),
    Tier.MANUAL: (
        re.compile(
            rf"{_GUIDE}(?:으로|로)\s?(?:따로\s)?(?:정[하한할]|규정[하한할])"
            rf"|{_GUIDE}(?:을|를)\s(?:따로\s)?(?:정|마련|작성|제정|수립)"
            rf"|{_PRESCRIBED}(?:guidelines?|guides?|manuals?|handbooks?)\b"
            r"|\b(?:shall|may) (?:prepare|issue|establish|publish)[^.;]{0,40}? "
            r"(?:guidelines?|guides?|manuals?|handbooks?)\b"
        ),
        *_BY_AGENCY,
    ),
}
