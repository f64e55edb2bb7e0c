// Stretches of the item's texts, each marked with a label: {column, start, end, label}. A stretch that is
// selected, with the mouse or by keys (`WordChoice`), gets the label that is pressed; a press on a
// mark's chip takes it away.

const SHOWN_OF_MARK = 60; // characters

// The texts of an item in which stretches are marked.
class MarkedTexts {
  constructor(viewer) {
    this.viewer = viewer;
    this.texts = new Map(); // by column: {text, box, offsets, lines}
    this.choice = new WordChoice(viewer, this.texts);
  }

  drawn(texts) {
    const drawn = texts.flatMap(({ name, title, text }) => {
      const box = element("div", { class: "marked-text", dir: "auto", tabindex: "-1", "data-testid": name });
      this.texts.set(name, { text, box, offsets: new Offsets(text), lines: [] });
      return [element("h2", { class: "eyebrow" }, title), box];
    });
    return [...drawn, this.choice.spoken];
  }

  // The stretch that is selected, as the server counts; null for none.
  selected() {
    const found = this.choice.selected();
    if (!found) return null;
    const { offsets } = this.texts.get(found.column);
    return { column: found.column, start: offsets.toPoint(found.start), end: offsets.toPoint(found.end) };
  }

  unselect() {
    for (const { box } of this.texts.values()) unselect(box);
  }

  textOf({ column, start, end }) {
    const { text, offsets } = this.texts.get(column) || {};
    return text === undefined ? "" : text.slice(offsets.toUnit(start), offsets.toUnit(end));
  }

  // Draws the texts anew where their marks changed; `marks` have a `tone` each.
  paint(marks) {
    this.texts.forEach((part, column) => {
      const mine = marks.filter((each) => each.column === column);
      if (!isNew(part, mine)) return;
      const own = mine.map((each) => ({ ...each, start: part.offsets.toUnit(each.start), end: part.offsets.toUnit(each.end) }));
      part.lines = piecesOf(0, part.text.length, own).map(([start, end, on]) => this.piece(part.text, start, end, on.at(-1)));
      part.box.replaceChildren(...part.lines.map(({ root }) => root));
    });
  }

  piece(text, start, end, on) {
    const root = element(on ? "mark" : "span", on ? { class: `tone-${on.tone % 6}`, title: on.label } : {}, text.slice(start, end));
    return { root, start, end };
  }
}

class SpansRow extends Ask {
  constructor(viewer, name, field) {
    super(viewer, name, [...field.options, ...(field.least ? [] : [[null, viewer.words.mark_nothing, null]])], field.label);
    this.root.setAttribute("role", "group");
    this.root.classList.add("spans");
    this.buttons.forEach((button) => button.removeAttribute("role"));
    this.list = element("ul", { class: "spans-made" });
    this.root.append(this.list);
  }

  chosen() {
    return false;
  }

  paint(shown, active, closed) {
    super.paint(shown, active, closed);
    this.buttons.forEach((button) => button.removeAttribute("aria-checked")); // it marks, and stays as it is
    const { viewer, field } = this;
    const marks = shown.answers[field] || [];
    if (!isNew(this, [shown.answers[field] ?? null, closed])) return;
    const chip = (each, at) => {
      const what = viewer.wordsOfMark(field, each);
      const named = { "aria-label": fill(viewer.words.mark_remove, { what }), "data-testid": "span" };
      const run = () => unmark(viewer, field, at);
      return element("li", {}, button({ class: "chip-button", disabled: closed, ...named, onclick: run }, what, closed ? null : icon("cross")));
    };
    const none = shown.answers[field] && !marks.length ? [element("li", { class: "quiet" }, viewer.words.mark_nothing)] : [];
    this.list.replaceChildren(...marks.map(chip), ...none);
  }
}

// Marks what is selected; without a label it says that there is nothing to mark.
function markSelected(viewer, name, label, given) {
  if (label === null) return viewer.answer(name, []);
  const found = viewer.marks.selected();
  if (!found) return viewer.head.tell(viewer.words.mark_first, "bad");
  const again = (each) => ["column", "start", "end"].every((part) => each[part] === found[part]);
  const inOrder = (one, other) => one.column.localeCompare(other.column) || one.start - other.start;
  viewer.at = name;
  viewer.marks.unselect();
  viewer.head.unsay(viewer.words.mark_first);
  viewer.answer(name, [...given.filter((each) => !again(each)), { ...found, label }].sort(inOrder));
}

function unmark(viewer, name, at) {
  const left = viewer.shown().answers[name].filter((_, index) => index !== at);
  if (viewer.stageNow()) viewer.answer(name, left.length ? left : null);
}

// The marks of all fields, with a tone for each label.
function marksOf({ fields }, answers) {
  const toned = (name) => (each) => ({ ...each, tone: fields[name].options.findIndex(([label]) => label === each.label) });
  return Object.keys(fields).filter((name) => fields[name].kind === "spans").flatMap((name) => (answers[name] || []).map(toned(name)));
}
