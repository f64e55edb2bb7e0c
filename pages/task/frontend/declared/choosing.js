// Words of the marked texts, chosen by keys as the mouse would select them: a word or a sentence at a
// time through all texts, and more or less of them.

const PIECES = {
  word: /[\p{L}\p{N}\p{M}](?:[^\s]*[\p{L}\p{N}\p{M}])?/gu, // without the marks around it
  sentence: /\S[^\n]*?(?:[.!?。](?=\s|$)|(?=\n|$))/gu,
};

class WordChoice {
  // `texts` are by column: {text, box, lines}.
  constructor(viewer, texts) {
    this.viewer = viewer;
    this.texts = texts;
    this.last = null; // {column, start, end} in the browser's units: where the next step begins
    this.spoken = element("p", { class: "spoken", "aria-live": "polite", "data-testid": "chosen-words" });
  }

  // The stretch that is selected, by whatever means; null for none.
  selected() {
    for (const [column, { text, box, lines }] of this.texts) {
      const found = selectedStretch(box, lines, text);
      if (found) return { column, start: found[0], end: found[1] };
    }
    return null;
  }

  pieces(kind) {
    const found = ([column, { text }]) => [...text.matchAll(PIECES[kind])].map(({ 0: piece, index }) => ({ column, start: index, end: index + piece.length }));
    return [...this.texts].flatMap(found);
  }

  // Chooses the next piece, or the one before.
  step(by, kind) {
    const columns = [...this.texts.keys()];
    const place = ({ column, start }) => [columns.indexOf(column), start];
    const now = this.selected() || this.last;
    const later = (one, other) => one[0] - other[0] || one[1] - other[1];
    const pieces = this.pieces(kind);
    const ahead = (each) => !now || by * later(place(each), place(now)) > 0;
    const next = by > 0 ? pieces.find(ahead) : pieces.findLast(ahead);
    if (next) this.choose(next);
  }

  // Ends what is chosen a piece later or earlier, or a letter.
  grow(by, kind) {
    const now = this.selected();
    if (!now) return this.step(by, kind);
    const ends = kind === "letter" ? this.letters(now) : this.pieces(kind).filter(({ column }) => column === now.column).map(({ end }) => end);
    const { text } = this.texts.get(now.column);
    const less = (each) => each < now.end && (kind === "letter" || /[\p{L}\p{N}]/u.test(text.slice(each, now.end))); // a full stop is no word
    const end = by > 0 ? ends.find((each) => each > now.end) : ends.findLast(less);
    if (end > now.start) this.choose({ ...now, end });
  }

  // The ends that are a letter away.
  letters({ column, end }) {
    const { text } = this.texts.get(column);
    const [before] = [...text.slice(Math.max(0, end - 2), end)].slice(-1);
    const [after] = text.slice(end, end + 2);
    return [end - (before?.length ?? 0), end + (after?.length ?? 0)];
  }

  choose(stretch) {
    const { text, lines, box } = this.texts.get(stretch.column);
    this.last = stretch;
    const at = (unit) => { const line = lines.findLast(({ start }) => start <= unit) || lines[0]; return [line.root.firstChild, unit - line.start]; };
    const home = box.getRootNode();
    const selection = home.getSelection ? home.getSelection() : document.getSelection();
    selection.setBaseAndExtent(...at(stretch.start), ...at(stretch.end));
    const words = text.slice(stretch.start, stretch.end);
    this.spoken.textContent = fill(this.viewer.words.chosen_words, { words });
    this.show(selection.getRangeAt(0));
  }

  // Scrolls what is chosen into view.
  show(range) {
    const { pane } = this.viewer;
    const [chosen, frame] = [range.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (chosen.top < frame.top) pane.scrollTop += chosen.top - frame.top - 40;
    if (chosen.bottom > frame.bottom) pane.scrollTop += chosen.bottom - frame.bottom + 40;
  }
}

// Chooses words, and asks for their label.
function chooseWords(viewer, how, by, kind) {
  const isMarked = (row) => viewer.form.fields[row]?.kind === "spans";
  const stage = viewer.stageNow();
  const row = stage && viewer.form.rowsOf(stage, viewer.shown()).find(isMarked);
  if (!row) return;
  viewer.marks.choice[how](by, kind);
  if (isMarked(viewer.active())) return;
  viewer.at = row;
  viewer.paint();
}
