"""Statute files in the source's layout, for the tests of the importers."""

from __future__ import annotations

FRONT = """---
제목: 시험법
법령구분: 법률
공포일자: 2024-02-03
공포번호: '00123'
시행일자: 2024-08-04
출처: https://law.example/시험법
첨부파일: []
---
"""

BODY = """
# 시험법

## 제1장 총칙

##### 제1조 (목적)

이 법은 시험을 위한 것이다.

##### 제2조의3 (정의)

**①** 뜻은 다음과 같다. <개정 2020.1.1>

  1\\. "하나"란 것을 말한다.
  1의2\\. "하나 반"이란 다음의 것을 말한다.
    가\\. 첫째
    나\\. 둘째\x20

 1) 세부
\x20
\t
 가) 더 세부
  2\\. "둘"이란 표와 같다.
\t\t\t\t┌──┐
\t\t\t\t│1. 표 │
**②** 그 밖의 것은 별표 1과 같다.

[본조신설 2020.1.1]

### 제1절 잡칙

##### 제3조

삭제 <2019.1.1>

## 부칙

부칙 <제5호,2018.1.1>


제1조(시행일) 이 법은 공포한 날부터 시행한다.

부칙(다른 법) <제00123호,2024.2.3>


제1조 생략
"""

STATUTE = FRONT + BODY


def with_annexes(*entries: tuple[str, str, str, str]) -> str:
    """Return STATUTE with attachments (number, branch, sort, title)."""
    rows = "".join(
        f"- 별표번호: '{number}'\n  별표가지번호: '{branch}'\n  별표구분: {sort}\n  제목: {title}\n"
        for number, branch, sort, title in entries
    )
    return STATUTE.replace("첨부파일: []\n", f"첨부파일:\n{rows}")


ENGLISH = """---
제목: Test Fire Act
법령구분: Act
공포번호: '12'
---

# Test Fire Act

## Chapter 1 General

##### Article 5-2 (Duties)

**(1)** A holder shall do the following:

  1\\. keep it;
    a\\. well;
  2\\. use it.

**(2)** Nothing else.

## Addenda

Addenda <No. 12, Jan. 2, 2020>

This Act enters into force at once.
"""

STANDARD = """---
제목: 시험설비의 화재안전기술기준(NFTC 999)
법령구분: 기술기준
---

# 시험설비의 화재안전기술기준(NFTC 999)

## 2. 기술기준

##### 2.1 (설치)

2.1.1 다음과 같이 둔다.

2.1.1.1 높이는 1.5 m 이하로 한다.

  (1) 벽
2.1.2 2.2.1에 따른다.

2.2.1 다른 절의 번호로 시작하는 줄

##### 2.2 (배선)

2.2.1 배선
"""
