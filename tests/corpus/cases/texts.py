"""Small judgments of each language, laid out as real ones are."""

KOREAN = """가온지방법원
판결

사건 2025고단101 사기, 도로교통법위반(음주운전)
피고인 김가람
판결선고 2025. 9. 4.

주문
피고인을 징역 1년에 처한다.

이유
범죄사실
피고인은 2025. 3. 2. 피해자에게 거짓말을 하여 돈을 받았다.

증거의 요지
1. 피고인의 법정진술

법령의 적용
1. 범죄사실에 대한 해당법조: 각 형법 제347조 제1항, 제30조, 도로교통법 제148조의2 제3항 제2호

피고인 및 변호인의 주장에 관한 판단
피고인은 갚을 뜻이 있었다고 주장하나 받아들이지 않는다.

양형의 이유
초범인 점을 참작한다.

판사 이나래
"""

ENGLISH = """Gaon District Court
Case No. 2025-77

Case: Fraud (Kim)
Charges: Fraud; Violation of the Road Traffic Act (drunk driving)
Date of judgment: September 4, 2025

FACTS
The defendant lied to the victim and was paid.

DEFENDANT'S CLAIMS
The defendant says that repayment was meant.

REASONING
The act falls under Article 347(1) of the Criminal Act.

SENTENCING
No earlier conviction.

ORDER
Imprisonment for one year.
"""

CHINESE = (
    "张某诈骗一审刑事判决书某省某市某区人民法院刑事判决书（2019）某0101刑初12号："
    "某市某区人民检察院指控被告人张某犯诈骗罪、掩饰、隐瞒犯罪所得罪一案，向本院提起公诉。"
    "因涉嫌犯盗窃罪曾被拘留。现已审理终结经审理查明，2018年5月被告人张某骗取人民币5000元。"
    "上述事实，有证据证实，足以认定。辩护人提出，被告人系初犯，请求从轻处罚。"
    "本院认为，其行为触犯《中华人民共和国刑法》第二百六十六条、第六十七条第三款。"
    "判决如下：被告人张某犯诈骗罪，判处有期徒刑一年。"
)
