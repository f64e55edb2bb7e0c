// Texts of blocks: where the engine was unsure, in the browser's own offsets, and how such places
// move when a text is edited. The server counts characters, the browser UTF-16 units.

function toUnits(text, spans) {
  const offsets = new Offsets(text);
  return (spans || []).map((span) => span.map((at) => offsets.toUnit(at)));
}

function toCharacters(text, spans) {
  const offsets = new Offsets(text);
  return spans.map((span) => span.map((at) => offsets.toPoint(at)));
}

// The doubtful places after an edit: those that it touched are settled, those behind it move.
function movedSpans(spans, before, after) {
  if (before === after) return spans;
  const [start, wentTo, cameTo] = changedStretch(before, after);
  const by = cameTo - wentTo;
  const clear = spans.filter(([from, to]) => to < start || from > wentTo || (to === start && !isLetter(after[start])) || (from === wentTo && !isLetter(after[cameTo - 1])));
  return clear.map(([from, to]) => (from >= wentTo ? [from + by, to + by] : [from, to]));
}

function isLetter(character) {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

// The text in pieces [text, doubtful].
function doubtPieces(text, spans) {
  const pieces = [];
  let at = 0;
  for (const [start, end] of spans) {
    if (start < at) continue;
    if (start > at) pieces.push([text.slice(at, start), false]);
    pieces.push([text.slice(start, end), true]);
    at = end;
  }
  if (at < text.length) pieces.push([text.slice(at), false]);
  return pieces;
}

// The text as nodes, with its doubtful words marked.
function doubtNodes(text, spans) {
  return doubtPieces(text, spans).map(([piece, doubtful]) => (doubtful ? element("span", { class: "doubtful" }, piece) : piece));
}

// The spans of two stretches of a text that is cut at a place; a doubtful word that is cut goes.
function cutSpans(spans, at) {
  const before = spans.filter(([, end]) => end <= at);
  const after = spans.filter(([start]) => start >= at).map(([start, end]) => [start - at, end - at]);
  return [before, after];
}
