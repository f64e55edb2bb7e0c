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

  // Begins at the match just found, else at the sentence that was in hand last for this sub-factor
  // or a likely one if it is in view, else at the first in view. Again, it goes on to the likely ones.
  begin() {
    if (!this.all().length || this.viewer.submitted()) return;
    if (this.on) this.turn += 1;
    else {
      this.left = this.judgment.placeInView();
      const likely = this.viewer.likely();
      this.offered = [...new Set([this.start(likely), ...likely])];
      this.turn = 0;
      this.on = true;
      this.of = this.viewer.subKey;
    }
    this.first = this.last = this.offered[this.turn % this.offered.length];
    this.take(this.all()[this.first]);
    this.tell();
  }

  start(likely) {
    const all = this.all();
    const match = this.judgment.finder.just();
    if (match !== null) return Math.max(0, all.findLastIndex(([start]) => start <= match));
    const kept = this.of === this.viewer.subKey && this.stretch ? all.findIndex(([start]) => start === this.stretch[0]) : -1;
    const here = [kept, ...likely].find((index) => this.seen(index));
    return here ?? Math.max(0, all.findIndex(([, end]) => end > this.judgment.firstInView()));
  }

  // Which of those that are offered this is, and what leads to the next.
  tell() {
    const { head, words } = this.viewer;
    const [at, of] = [(this.turn % this.offered.length) + 1, this.offered.length];
    if (of > 1) head.say(fill(words.pointed_of, { at, of, key: capOf("evidence") }), "calm-note");
  }

  seen(index) {
    if (typeof index !== "number" || index < 0) return false;
    return this.judgment.inView(this.all()[index][0]);
  }

  take(stretch) {
    this.stretch = stretch;
    this.viewer.paint();
    this.judgment.show(stretch[0]);
  }

  end() {
    if (!this.on) return false;
    this.on = false;
    this.viewer.calm();
    this.viewer.paint();
    return true;
  }

  // Nothing was attached: back to where one was reading.
  leave() {
    const left = this.end();
    if (left) this.judgment.returnTo(this.left);
    return left;
  }

  move(by) {
    const all = this.all();
    this.viewer.calm();
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
    const places = wordsOf(this.judgment.text, low, high).map((word) => word[front ? 0 : 1]);
    const ready = places.filter((place) => (front ? place < end : place > start));
    const here = ready.indexOf(front ? start : end);
    const next = ready[Math.max(0, Math.min(ready.length - 1, (here < 0 ? ready.length - 1 : here) + by))];
    if (next !== undefined) this.take(front ? [next, end] : [start, next]);
  }

  marks() {
    return this.on ? [{ start: this.stretch[0], end: this.stretch[1], kind: "pointed", id: "" }] : [];
  }
}
