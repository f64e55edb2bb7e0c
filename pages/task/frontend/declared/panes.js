// What a declared form asks about, in panes: [kind, data] each. A pane of `LAW` stands at the left and
// is painted with the answers; the others stand above the stages, within one, below them, or beside
// them. One that is more than drawn is a part of the viewer, which asks it whatever it defines.

const PANE_KINDS = { texts: textsPane, options: (viewer, data) => viewer.options.drawn(data), marked: (viewer, texts) => viewer.marks.drawn(texts), chips: chipsPane, findings: findingsPane, table: tablePane, note: notePane, folded: foldedPane };

function paneNodes(viewer, panes) {
  return (panes || []).flatMap(([kind, data]) => PANE_KINDS[kind](viewer, data));
}

// Running texts under a heading each: {name, title, text, quiet}.
function textsPane(viewer, texts) {
  return texts.flatMap(({ name, title, text, quiet }) => {
    const box = element("div", { class: quiet ? "official" : "question", dir: "auto", "data-testid": name });
    return [element("h2", { class: "eyebrow" }, title), runningFold(box, [[text, null]], viewer.folding(name)).nodes].flat();
  });
}

function chipsPane(_viewer, { name, title, chips }) {
  const made = chips.map(([label, value]) => element("span", { class: "chip" }, element("span", { class: "quiet" }, `${label} `), value));
  return made.length ? [element("p", { class: "chips", "data-testid": name }, element("span", { class: "quiet" }, title), made)] : [];
}

// Words of a machine or an author on the item.
function notePane(viewer, { name, title, text }) {
  const box = element("div", { class: "explained", "aria-label": title, "data-testid": name });
  return [element("h3", { class: "eyebrow" }, title), ...runningFold(box, [[text, null]], viewer.folding(name)).nodes];
}

// A text that is there when it is wanted.
function foldedPane(viewer, { name, title, text }) {
  const box = element("div", { class: "official", "data-testid": name });
  return [element("details", { class: "whole" }, element("summary", { class: "eyebrow" }, title), runningFold(box, [[text, null]], viewer.folding(name)).nodes)];
}

// What came of checks, a line each: {name, tone, outcome, reasons}.
function findingsPane(_viewer, { name, title, lead, none, rows }) {
  const line = (row) =>
    element("li", { class: row.tone },
      element("span", { class: "layer" }, row.name),
      element("span", { class: "outcome" }, row.outcome),
      row.reasons.map((reason) => element("span", { class: "why" }, reason)),
    );
  const body = rows.length ? element("ul", {}, rows.map(line)) : element("p", { class: "quiet" }, none);
  return [element("section", { class: "layers", "data-testid": name }, element("h2", { class: "eyebrow" }, title), lead ? element("p", { class: "target" }, lead) : null, body)];
}

// A table whose cells are lists of {text, tone, label}.
function tablePane(_viewer, { name, title, none, columns, rows }) {
  const mark = ({ text, tone, label }) => element("span", { class: `vote ${tone}`, title: label, "aria-label": label }, text);
  const row = ([head, ...cells]) => element("tr", {}, element("th", { scope: "row" }, head), cells.map((cell) => element("td", {}, cell.map(mark))));
  const heads = columns.map((each) => element("th", { scope: "col" }, each));
  const table = () => element("table", {}, element("thead", {}, element("tr", {}, element("td", {}), heads)), element("tbody", {}, rows.map(row)));
  const body = rows.length ? table() : element("p", { class: "quiet" }, none);
  return [element("section", { class: "votes", "data-testid": name }, element("h2", { class: "eyebrow" }, title), body)];
}

// The options of a question, each with marks of the fields that chose it and of what is stored:
// {options, marks: [[field, words, tone]], stored, storedWords}.
class OptionsPane {
  constructor(viewer) {
    this.viewer = viewer;
    this.rows = [];
  }

  drawn(data) {
    this.data = data;
    this.rows = data.options.map((words, index) => this.row(words, index));
    return [element("ol", { class: "options" }, this.rows.map(({ root }) => root))];
  }

  row(words, index) {
    const marks = element("span", { class: "marks" });
    const root = element("li", {},
      button({ class: "option", tabindex: "-1", "data-testid": `option-${index + 1}`, onclick: () => this.viewer.pickOption(index) },
        element("span", { class: "number", "aria-hidden": "true" }, String(index + 1)),
        element("span", { class: "words" }, words),
        marks,
      ),
    );
    return { root, marks };
  }

  paint({ answers }, picks) {
    this.rows.forEach(({ root, marks }, index) => {
      const stored = this.data.stored === index;
      const chips = this.data.marks.filter(([field]) => answers[field] === index).map(([, words, tone]) => [tone, words]);
      if (stored) chips.push(["stored", this.data.storedWords]);
      root.classList.toggle("stored", stored);
      root.classList.toggle("picked", Boolean(picks) && answers[picks] === index);
      if (isNew(marks, chips)) marks.replaceChildren(...chips.map(([tone, text]) => element("span", { class: `mark ${tone}` }, text)));
    });
  }
}
