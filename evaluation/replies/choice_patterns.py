"""The patterns by which a reply states, lists or withdraws an option.

Each is linear in the length of the text: gaps are bounded, and repetitions are not nested.
"""

from __future__ import annotations

import re

from evaluation.replies.rules import label

_ASKED = r"(?:option|choice|number|no\.|보기|선택지|번호)"
_ANSWER = (
    r"(?:(?:final|correct|right|best|my|likely)\s+){1,4}(?:answer|choice|option|pick)|answer|ans\.?"
    r"|(?:choice|option)(?=\s*(?:is\b|would\b|[:=]))"
    r"|(?:^|(?<=\n))(?:correct|verdict|conclusion|final)(?=\s?[:=])|réponse|respuesta|回答|正解|答え"
    r"|antwort(?=\s*:|\s\w\W*$)|(?:최종\s*)?(?:정답(?:\s?번호)?|답변(?=\s*[:：은는=)→–—-])|답안?)|(?:^|(?<=\n))(?:결론|선택)(?=\s?[:：])"
)
_OF = r"(?:\s+to\s+(?:the|this|that|your)\s+question)?"
_SURELY = r"(?:(?:clearly|therefore|thus|hence|definitely|certainly|probably|most\s+likely)\s+)?"
_IS = (
    rf"\s*(?:(?:\s(?:is|(?:would|should|must)\s+be)\b|'s\b)\s*{_SURELY}:?|[:：=)]|[-–—]{{1,2}}>?|→|은|는|이)?"
    r"\s*(?:\n\s*)?"
)
_LEAD = rf"(?:the\s+)?(?:{_ANSWER}){_OF}{_IS}(?:{_ASKED}\s*)?"
_TAIL = r"\s*번?\s*(?:입니다|이다|임|이에요|예요)?\s*[.。)!:;,]*"
_JOINED = (
    r"(?:,?\s?(?:or|and)\s(?:possibly|perhaps|maybe|also)\b"
    r"|[,/&]|\bor\b|\band\b|및|또는|혹은|이나|와|과|oder\b|und\b|或者?|和|还是)"
)
_OPEN_TO = r"\s?(?:인지|일지|일까|이?라면|일\s?수|이?라고\s?(?:보|볼|할|하|단정))"
_END = (  # may follow a stated label, which must not be part of a phrase
    rf"(?=\s*(?:[.。;:!)\]\"'”’(,，}}]|번(?!{_OPEN_TO})|입니다|이다|이며|이고|임\b|이에요|예요|$|\n|because\b"
    rf"|since\b|as\b|rather\s+than\b|instead\s+of\b|{_JOINED}))"
)
_LOOSE_END = (  # the same for a lower-case letter or a syllable, which begin many words and phrases
    rf"(?=\s*(?:[.。;:!)\]\"'”’(,，}}]|$)|번(?!{_OPEN_TO})|\s?입니다|이다\b|이며\b|이고\b|이에요|예요"
    r"|라고\s?(?:생각|판단|봅니|본다))"
)
_RIGHT = (
    r"\s*(?:\s+(?:is|ist)\s+(?:also\s+)?(?:the\s+)?(?:only\s+)?(?:(?:correct|right|best)\b"
    r"(?:\s+(?:answer|option|choice|one))?|answer|richtig)(?=\s*(?:[.,;:!)]|$|\n)"
    r"|\s+(?:because|since|as|here|in|under|given)\b)|\s+it\s+is(?=\s*(?:[.!]|$|\n))"
    r"|번?\s*(?:이|가)?\s*(?:정답(?:으로\s|이\s됩|이?라고\s?(?:생각|판단|봅|본)"
    r"|(?:입니|이[다며고므기에]|임|예|[.。,!)]|$))|(?:맞|옳)(?:습니다|다)(?!고|면|는)))"
)
_WRONG = r"(?:아니|아닌|아닙|아님|(?:is\s+)?(?:not|wrong|incorrect)\b)"
_KEY = (
    r"(?:my|final|correct|right|best|selected|chosen|predicted)?\s?"
    r"(?:answer|choice|selected|option|label|letter|정답|답변?|선택|antwort|lösung|答案)"
    r"\s?(?:letter|label|option|choice|number)?"
)

ONLY = re.compile(
    rf"(?:(?:{_LEAD})|{_ASKED}\s*|{_SURELY}){label('o', loose=True)}(?:, I think)?"
    rf"(?:\s?[(/=,]\s?(?:{_ASKED}\s*)?{label('p', loose=True)}\s?\)?)?{_TAIL}",
    re.IGNORECASE,
)
LEADING = re.compile(
    rf"(?<!\w)(?:{_LEAD}|(?:Antwort|Lösung|答案)(?:\s(?:ist|lautet)|是|为)?\s*:?\s*)", re.IGNORECASE
)
STATED = re.compile(
    rf"(?<!\w)(?:{_LEAD})(?:{label('s')}{_END}|{label('t', loose=True)}{_LOOSE_END})", re.IGNORECASE
)
JUDGED = re.compile(
    rf"(?<!\w)(?:{_ASKED}\s*{label('i', loose=True)}|{label('j')}){_RIGHT}", re.IGNORECASE
)
FINALLY = re.compile(
    rf"(?:;|—|(?<!\w)–|→|=>|⇒)\s*(?:{_ASKED}\s*)?{label('f')}{_TAIL}$", re.IGNORECASE
)
REASONED = re.compile(
    rf"{label('r', loose=True)}\s?[.):,–—-]?\s"
    r"(?:because|since(?!\s\d)|due\sto|given\sthat|왜냐하면|이유는)\b",
    re.IGNORECASE,
)
REASON = re.compile(
    r"\s?(?:[—–(;.]|-\s|,?\s?(?:because|since)\b)(?!\W*(?:(?:it|this)\s)?(?:is\s)?(?:not|no|wrong|incorrect|false|오답|틀)\b)"
)
BLOCK = re.compile(r"\{[^{}]*\}")
FIELD = re.compile(
    rf"(?:(?<=[{{,])|(?<=\n))\s*[\"']?{_KEY}[\"']?\s?:\s?\[?\s?"
    r"(?:\"(?P<words>[^\"\n]{0,400})\"|'(?P<other>[^'\n]{0,400})'|(?P<n>\d{1,3})\b)(?=\s?[\]}\n,])"
    r"(?!\s?,\s?[\"'][^\"'\n]{0,400}[\"']\s?[,\]])",
    re.IGNORECASE,
)
SAID_LABEL = re.compile(label("w", loose=True))
NOT = re.compile(rf"\s+or\s+not\b|\s*번?\s*(?:이|은|는|가|도)?\s*{_WRONG}", re.IGNORECASE)
ANOTHER = re.compile(
    rf"\s*번?\s*{_JOINED}\s*(?:{_ASKED}\s*)?(?:{label('m')}|{label('n', loose=True)}{_LOOSE_END})",
    re.IGNORECASE,
)
FURTHER = re.compile(  # "B. Report or C. Notify"
    rf"[^\n]{{0,80}}?\s(?:or|and|또는|혹은|및)\s(?:{_ASKED}\s*)?{label('q')}\s?[.):]", re.IGNORECASE
)
LISTED = re.compile(
    rf"(?:{_ASKED}\s*)?(?:{label('l')}\s*번?\s*[.):：,;|/–—=-]*\s*"
    rf"|{label('k', loose=True)}\s*번?\s*[.):：|–—-]\s*)"
    r"(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
LABELLED_AFTER = re.compile(
    rf"(?P<rest>.+?)\s?[(\[]\s?(?:{_ASKED}\s*)?(?P<z>\d{{1,3}}|[A-Za-z]|[가-하])번?\s?[)\]]{_TAIL}",
    re.IGNORECASE | re.DOTALL,
)
SUPPOSED = re.compile(r"\s*번?\s*(?:이|일|이\s?될|이\s?되)\s?(?:겠|것|수)")
WOULD = re.compile(r"\b(?:would|wäre)\b|应该", re.IGNORECASE)
SENTENCE_START = re.compile(r"[.!?。\n](?=[^.!?。\n]*$)")
ASKS = re.compile(r"[^.!?。？\n]*[?？]")
CLAUSE_START = re.compile(r"[,;:()–—]|\bbut\b", re.IGNORECASE)
DENIED_BEFORE = re.compile(
    r"(?:\b(?:if|whether|unless|suppos\w+|assum\w+|imagine|not|never|cannot|neither|nor|doubt\w*"
    r"|rather\sthan|instead\sof|other\sthan|tempt\w+|nicht|wenn|ob)\b|n't\b)"
    r"(?:\s(?!(?:but|so|and|then|yet|therefore|hence|thus|sondern)\b)[\w']+){0,4}\s*$"
    r"|(?<!\bi\s)(?<!\bwe\s)\b(?:may|might|could|would|can|will)\s(?:\w+\s)?"
    r"(?:say|think|argue|claim|believe|assume|suggest|conclude|object|choose|pick)(?:\sthat)?\s*$"
    r"|\b(?:wrong|incorrect|false|worst|bad|mistaken|tempting|other|another|previous|why|second|third|next"
    r"|least|unlikely|eliminated|excluded|rejected|trap|distractor)\s*$"
    r"|(?:틀린|잘못된|다른|아닌)\s*$|[不未别勿非没](?:会|要|能|应|该|可以|应该)?\s*$|为什么\s*$",
    re.IGNORECASE,
)
FIRST_THOUGHT = re.compile(r"\b(?:at\sfirst|initially|originally|first\sthought)\b", re.IGNORECASE)
JUDGED_FROM = re.compile(  # may precede a judged label, which must not be part of a name
    r"(?:^|[.,;:!?\n(—–\"'-]|\b(?:that|so|thus|hence|therefore|think|believe|say|only|clearly|and|but|is"
    r"|because|since|then|conclude|means|daher|also|dass)|[가-힣](?:고|며|서|니|면|만|로|즉|곧|데|라|나|닌))\s*$",
    re.IGNORECASE,
)
NO_DOUBT = re.compile(r"\b(?:no|without|beyond)\s(?:a\s)?doubt\b|\bthis\sis\swhy\b", re.IGNORECASE)
FIRST_WORD = re.compile(r"[A-Z]\s")
