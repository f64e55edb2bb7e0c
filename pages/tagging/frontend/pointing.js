// Pointing at evidence by keyboard: a sentence of the judgment is in hand; it is moved, made longer
// or shorter, and then attached to an option.

class Pointing {
  constructor(viewer, judgment) {
    this.viewer = viewer;
    this.judgment = judgment;
    this.sentences = null;
    this.on = false;
  }

  // Sentences, found when somebody first points.
  all() {
    const { parts, text } = this.judgment;
    this.sentences = this.sentences || parts.flatMap(({ from, to }) => sentencesOf(text, from, to));
    return this.sentences;
  }

  // Begins at the sentence that was in hand last if it is in view, else at the first in view.
  begin() {
    const all = this.all();
    if (!all.length) return;
    const first = this.judgment.firstInView();
    const kept = this.stretch && all.findIndex(([start]) => start === this.stretch[0]);
    const fresh = Math.max(0, all.findIndex(([, end]) => end > first));
    this.first = this.last = this.seen(kept) ? kept : fresh;
    this.on = true;
    this.take(all[this.first]);
  }

  seen(index) {
    if (typeof index !== "number" || index < 0) return false;
    const first = this.judgment.firstInView();
    return this.all()[index][0] >= first && this.all()[index][0] < first + 2500;
  }

  take(stretch) {
    this.stretch = stretch;
    this.viewer.paint();
    this.judgment.show(stretch[0]);
  }

  end() {
    if (!this.on) return false;
    this.on = false;
    this.viewer.paint();
    return true;
  }

  move(by) {
    const all = this.all();
    this.first = this.last = Math.max(0, Math.min(all.length - 1, (by > 0 ? this.last : this.first) + by));
    this.take(all[this.first]);
  }

  // By a sentence more, or less, at the end.
  extend(by) {
    const all = this.all();
    this.last = Math.max(this.first, Math.min(all.length - 1, this.last + by));
    this.take([all[this.first][0], all[this.last][1]]);
  }

  // By a word at the end, or with `front` at the beginning.
  adjust(by, front) {
    const all = this.all();
    const [low, high] = [all[this.first][0], all[this.last][1]];
    const [start, end] = this.stretch;
    const places = (front ? wordStarts : wordEnds)(this.judgment.text, low, high);
    const ready = places.filter((place) => (front ? place < end : place > start));
    const here = ready.indexOf(front ? start : end);
    const next = ready[Math.max(0, Math.min(ready.length - 1, (here < 0 ? ready.length - 1 : here) + by))];
    if (next !== undefined) this.take(front ? [next, end] : [start, next]);
  }

  marks() {
    return this.on ? [{ start: this.stretch[0], end: this.stretch[1], kind: "pointed", id: "" }] : [];
  }
}
