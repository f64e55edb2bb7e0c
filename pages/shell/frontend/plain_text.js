// Text with marks. Everything the reader sees is set through textContent: nothing in the data is
// ever read as HTML. A text with a place to show scrolls in its height; any other is a fold of it.

const drawn = new WeakMap(); // what stands in a frame, and which of its texts are open

export default function plainText({ data, parentElement }) {
  const frame = parentElement.querySelector(".plain-text-frame");
  const { shown, ...rest } = data;
  const now = JSON.stringify([rest, Boolean(shown)]);
  const text = data.spans.map((span) => span.text).join("");
  const before = drawn.get(frame);
  if (!before || before.now !== now) {
    const unfolded = before && before.text === text ? before.unfolded : new Set();
    drawn.set(frame, { now, text, unfolded, asked: before?.asked });
    if (shown) scrolling(frame, data);
    else folded(frame, data, unfolded);
  }
  if (shown) show(frame.firstChild, shown, drawn.get(frame));
}

const pieces = (data) => data.spans.map((span, at) => [span.text, { marks: span.marks, at }]);

function piece([text, { marks, at }]) {
  return element("span", { class: marks.length ? marks.join(" ") : null, "data-at": at }, text);
}

const block = (line) => element("div", { class: "fold-block" }, line.map(piece));

function boxFor(data) {
  const tone = `plain-text ${data.tone}`;
  const style = data.height ? `--fold: ${data.height}px` : null;
  return element("div", { class: tone, lang: data.language, style, tabindex: data.reached ? "0" : null });
}

function folded(frame, data, unfolded) {
  const options = { name: "text", words: data.words, unfolded };
  frame.replaceChildren(...runningFold(boxFor(data), pieces(data), options, piece).nodes);
}

// The same box as before, so that whoever scrolled stays there.
function scrolling(frame, data) {
  const old = frame.firstChild;
  const box = old && old.tabIndex === 0 ? old : boxFor(data);
  box.tabIndex = 0;
  box.style.maxHeight = data.height ? `${data.height}px` : "";
  const lines = blocksOf(pieces(data));
  box.replaceChildren(...(lines.reduce((sum, line) => sum + sizeOf(line), 0) > HEAD ? stretches(lines, block) : lines.map(block)));
  if (box !== old) frame.replaceChildren(box);
}

// Bring a span into view, once for each time that it is asked for.
function show(box, shown, held) {
  if (held.asked === shown.join()) return;
  held.asked = shown.join();
  const place = box.querySelector(`[data-at="${shown[0]}"]`);
  if (!place) return;
  const down = place.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTop += down - box.clientHeight / 4;
}
