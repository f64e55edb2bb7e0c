// Formulas: LaTeX as MathML of the browser's own. What turns one into the other is placed on the
// page by another part (pages/ocr/task_page.py), once for the whole page.

// Shows the LaTeX in `place`, or what is wrong with it; nothing of it is read as HTML.
function drawFormula(place, latex, words) {
  const maker = globalThis.katex;
  place.classList.remove("wrong");
  if (!latex.trim()) {
    place.replaceChildren(element("span", { class: "quiet" }, words.formula_empty));
    return true;
  }
  if (!maker) {
    place.replaceChildren(element("code", {}, latex));
    return false;
  }
  try {
    const made = element("div", {});
    maker.render(latex, made, { output: "mathml", displayMode: true, throwOnError: true, trust: false, strict: "ignore", maxExpand: 200, maxSize: 20 });
    place.replaceChildren(...made.childNodes);
  } catch (error) {
    place.classList.add("wrong");
    place.replaceChildren(fill(words.formula_wrong, { problem: String(error.message || error).replace(/^KaTeX parse error: /, "") }));
  }
  return true;
}
