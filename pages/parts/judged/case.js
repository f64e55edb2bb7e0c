// A judged answer: the question, the official answer with the answer beside it, and the provisions.

// Pieces are [text, kind]; what both say carries no mark.
function markedText(pieces, alone) {
  const titles = { alone, moved: "moved" };
  return pieces.map(([text, kind]) => (kind in titles ? element("span", { class: kind, "data-testid": kind }, text) : text));
}

function answerText(name, title, pieces, fixed) {
  const paras = { class: "words", tabindex: "0", dir: "auto", lang: fixed.language, "data-testid": name };
  return element(
    "section",
    { class: `said-answer ${name}`, "aria-label": title },
    element("h2", { class: "eyebrow" }, title),
    element("div", paras, pieces.length ? markedText(pieces) : null),
  );
}

// Question on top, both answers under it; `legend` says what the marks mean, if there are any.
function casePane(fixed, words, legend) {
  return element(
    "section",
    { class: "case-pane", "aria-label": words.question_and_answers },
    element("h2", { class: "eyebrow" }, words.question),
    element("p", { class: "question", dir: "auto", lang: fixed.language, "data-testid": "question" }, fixed.question),
    legend || null,
    element(
      "div",
      { class: "two-answers" },
      answerText("reference", words.reference, fixed.reference, fixed),
      answerText("answer", words.answer, fixed.answer, fixed),
    ),
  );
}
