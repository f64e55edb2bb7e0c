// The left side: the question and the official answer with its citations.

const CITATION_ICONS = { resolved: "check", ambiguous: "unsure", unresolved: "cross" };

function legend(words) {
  const entry = (status) =>
    element("li", {},
      element("span", { class: `sample ${status}` }, icon(CITATION_ICONS[status])),
      words[`status_${status}`],
    );
  return element("ul", { class: "legend", "aria-label": words.legend }, Object.keys(CITATION_ICONS).map(entry));
}

// A citation in the text. The mark after it tells its state without colour.
function citationSpan(text, citation, viewer) {
  const words = viewer.words;
  const label = `${text}: ${words[`status_${citation.status}`]}. ${citation.reason}`;
  const span = element("span", {
    class: `citation ${citation.status}`,
    role: "button",
    tabindex: "0",
    "aria-label": label,
    "data-testid": "citation",
    "data-index": citation.index,
    "data-status": citation.status,
    onclick: () => viewer.trail.show(citation.index, true),
    onmouseenter: () => viewer.head.tipSoon(span, citation.reason),
    onmouseleave: () => viewer.head.hideTip(),
    onfocus: () => viewer.head.showTip(span, citation.reason),
    onblur: () => viewer.head.hideTip(),
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      viewer.trail.show(citation.index, true);
    },
  },
    text.slice(0, -1),
    element(
      "span",
      { class: "last" }, // keeps the mark on the line of the last letter
      text.slice(-1),
      element("sup", { "aria-hidden": "true" }, icon(CITATION_ICONS[citation.status]), String(citation.index + 1)),
    ),
  );
  span.addEventListener("mouseenter", () => viewer.trail.ring(citation.index));
  span.addEventListener("mouseleave", () => viewer.trail.ring(null));
  return span;
}

function answerPane(fixed, viewer) {
  const words = viewer.words;
  const byIndex = new Map(fixed.citations.map((each) => [each.index, each]));
  const make = ([text, index]) => (index === null ? text : citationSpan(text, byIndex.get(index), viewer));
  const question = runningFold(
    element("div", { class: "question", "data-testid": "question" }),
    [[fixed.question, null]],
    viewer.folding("question"),
  );
  viewer.answerFold = runningFold(
    element("div", { class: "answer", "data-testid": "answer" }),
    fixed.answer,
    { ...viewer.folding("answer"), changed: () => viewer.trail.link(viewer.cursorCitations()) },
    make,
  );
  return element("section", { class: "answer-pane", "aria-label": words.question_and_answer, tabindex: "-1", lang: fixed.language },
    element("h2", { class: "eyebrow" }, words.question),
    question.nodes,
    element("div", { class: "answer-head" },
      element("h2", { class: "eyebrow" }, words.answer),
      fixed.citations.length ? legend(words) : element("span", { class: "quiet" }, words.no_citations),
    ),
    viewer.answerFold.nodes,
  );
}
