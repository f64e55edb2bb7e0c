// The threads between citations of the answer and the cards they have to do with.

class Trail {
  constructor(viewer) {
    this.viewer = viewer;
    this.index = null; // the citation that was gone to last
  }

  // Go to the next citation (1), or the one before (-1), going round.
  step(by) {
    const count = this.viewer.fixed.citations.length;
    if (!count) return;
    const from = this.index === null ? (by > 0 ? -1 : 0) : this.index;
    this.show((from + by + count) % count, false);
  }

  // Show a citation and its cards; the cursor goes to the first of them, and the focus with it
  // unless it is to stay with the citation.
  show(index, keepFocus) {
    const { viewer } = this;
    this.index = index;
    const at = () => viewer.answer.querySelector(`[data-index="${index}"]`);
    if (!at() && !viewer.answerFold.open) viewer.answerFold.toggle(); // it stands in what is folded
    const span = at();
    if (span) reveal(viewer.answer, span, 24);
    const first = viewer.cards.find((card) => card.candidate.citations.includes(index));
    if (first) {
      viewer.moveTo(first, !keepFocus);
      reveal(viewer.list, first.root, 8);
    } else if (span && !keepFocus) span.focus({ preventScroll: true });
    this.ring(index);
    this.link([index]);
  }

  // Mark the cards of a citation; null marks none.
  ring(index) {
    this.viewer.cards.forEach((card) => card.ring(index !== null && card.candidate.citations.includes(index)));
  }

  // Mark citations in the answer.
  link(indices) {
    if (!this.viewer.answer) return;
    this.viewer.answer.querySelectorAll(".citation").forEach((span) => {
      span.classList.toggle("linked", indices.includes(Number(span.dataset.index)));
    });
  }
}
