// The words of a provision that answer, where the project asks for them: selected with the mouse or
// by keys (`WordChoice`), marked in the text, and listed below it as chips that take them away.

const SHOWN_OF_MARK = 60; // characters
const EVIDENCE = 4; // bit of a piece, beside MARK and PINPOINT

class EvidenceLine {
  constructor(card) {
    const { viewer, fold, unit, candidate } = card;
    const text = candidate.pieces.map(([part]) => part).join("");
    Object.assign(this, { card, viewer, fold, unit, text, pieces: candidate.pieces, offsets: new Offsets(text) });
    const part = { text, box: fold.box, get lines() { return piecesIn(fold.box); } };
    this.choice = new WordChoice(viewer, new Map([[unit, part]]));
    this.list = element("ul", { class: "why marked-words", "aria-label": viewer.words.evidence });
    const run = () => this.mark();
    const stay = (event) => event.preventDefault(); // a press would take the selection away
    const marker = button({ class: "chip-button", action: "evidence", "data-testid": "mark", onmousedown: stay, onclick: run }, viewer.words.evidence_mark);
    this.root = element("div", { class: "evidence-line" }, marker, this.list, this.choice.spoken);
    fold.draw = (line) => evidenceLine(line);
    fold.fill();
  }

  // Words by keys: all of the text is shown, since what is folded cannot be selected.
  choose(how, by, kind) {
    if (this.fold.over && !this.fold.open) this.fold.toggle();
    this.choice[how](by, kind);
  }

  mark() {
    const { viewer, offsets } = this;
    const found = this.choice.selected();
    if (!found) return viewer.head.tell(viewer.words.evidence_first, "bad");
    viewer.head.unsay(viewer.words.evidence_first);
    unselect(this.fold.box);
    const mine = [offsets.toPoint(found.start), offsets.toPoint(found.end)];
    const apart = ([start, end]) => end < mine[0] || mine[1] < start;
    const before = viewer.shown().evidence[this.unit] || [];
    const [joined, others] = [before.filter((each) => !apart(each)), before.filter(apart)];
    const whole = [Math.min(mine[0], ...joined.map(([start]) => start)), Math.max(mine[1], ...joined.map(([, end]) => end))];
    this.say([...others, whole].sort((one, other) => one[0] - other[0]));
  }

  words(spans) {
    return spans.map((span) => shortened(this.text.slice(...span.map((at) => this.offsets.toUnit(at))), SHOWN_OF_MARK)).join("; ");
  }

  say(spans) {
    const { viewer, unit } = this;
    if (viewer.leaving || viewer.refused()) return;
    if (viewer.shown().noProvision) viewer.act({ kind: "no_provision", value: false });
    viewer.act({ kind: "evidence", unit, spans });
  }

  paint({ evidence, status }) {
    const spans = evidence[this.unit] || [];
    const closed = status === "submitted";
    if (!isNew(this, [spans, closed])) return;
    const units = spans.map((span) => span.map((at) => this.offsets.toUnit(at)));
    this.fold.lines = linesOf(cutAt(this.pieces, units.map(([start, end]) => ({ start, end }))));
    this.fold.head = headOf(this.fold.lines, this.fold.first);
    this.fold.fill();
    const chip = ([start, end], at) => {
      const words = shortened(this.text.slice(start, end), SHOWN_OF_MARK);
      const named = { "aria-label": fill(this.viewer.words.evidence_remove, { words }), "data-testid": "evidence", disabled: closed };
      const run = () => this.say(spans.filter((_, other) => other !== at));
      return element("li", {}, button({ class: "chip-button", ...named, onclick: run }, words, closed ? null : icon("cross")));
    };
    this.list.replaceChildren(...units.map(chip));
  }
}

// The pieces, cut where one of the spans {start, end} begins or ends, with the bit of evidence inside of one.
function cutAt(pieces, spans) {
  let at = 0;
  return pieces.flatMap(([text, bits]) => {
    const [from, to] = [at, (at += text.length)];
    return piecesOf(from, to, spans).map(([start, end, on]) => [text.slice(start - from, end - from), on.length ? bits | EVIDENCE : bits]);
  });
}

// A line of statute text in which each piece knows its place.
function evidenceLine(line) {
  const root = statuteLine(line);
  let at = line.start;
  root.replaceChildren(...line.map(([text, bits]) => {
    const piece = element(bits & MARK ? "mark" : "span", { class: `piece${bits & EVIDENCE ? " evidence" : ""}` }, text);
    piece.start = at;
    at += text.length;
    return piece;
  }));
  return root;
}

function piecesIn(box) {
  return [...box.querySelectorAll(".piece")].map((root) => ({ root, start: root.start, end: root.start + root.textContent.length }));
}

function evidenceKeys(viewer) {
  const choose = (how, by, kind) => (_key, { shiftKey }) => viewer.current()?.evidence?.choose(shiftKey ? "grow" : how, by, kind);
  return {
    evidence: () => viewer.current()?.evidence?.mark(),
    option_next: choose("step", 1, "word"),
    option_previous: choose("step", -1, "word"),
    group_next: choose("grow", 1, "sentence"),
    group_previous: choose("grow", -1, "sentence"),
    larger: choose("grow", 1, "letter"),
    smaller: choose("grow", -1, "letter"),
  };
}
