// A judged answer: the question, the official answer with the answer beside it, and the provisions.

// Pieces are [text, kind]; what both say carries no mark.
function comparedPiece([text, kind]) {
  return kind === "alone" || kind === "moved" ? element("span", { class: kind, "data-testid": kind }, text) : text;
}

function answerText(name, title, pieces, viewer) {
  const paras = { class: "words", tabindex: "0", dir: "auto", lang: viewer.fixed.language, "data-testid": name };
  const fold = runningFold(element("div", paras), pieces, viewer.folding(name), comparedPiece);
  return element(
    "section",
    { class: `said-answer ${name}`, "aria-label": title },
    element("h2", { class: "eyebrow" }, title),
    fold.nodes,
  );
}

// Question on top, both answers under it; `legend` says what the marks mean, if there are any.
function casePane(viewer, legend) {
  const { fixed, words } = viewer;
  const asked = element("div", { class: "question", dir: "auto", lang: fixed.language, "data-testid": "question" });
  return element(
    "section",
    { class: "case-pane", "aria-label": words.question_and_answers },
    element("h2", { class: "eyebrow" }, words.question),
    runningFold(asked, [[fixed.question, null]], viewer.folding("question")).nodes,
    legend || null,
    element(
      "div",
      { class: "two-answers" },
      answerText("reference", words.reference, fixed.reference, viewer),
      answerText("answer", words.answer, fixed.answer, viewer),
    ),
  );
}
