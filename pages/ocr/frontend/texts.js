// Texts of blocks: where the engine was unsure, in the browser's own offsets, and how such places
// move when a text is edited. The server counts characters, the browser UTF-16 units.

// The offset in UTF-16 units of each character of the text, and its length behind them.
function unitOffsets(text) {
  const offsets = [];
  let at = 0;
  for (const each of text) {
    offsets.push(at);
    at += each.length;
  }
  offsets.push(at);
  return offsets;
}

function toUnits(text, spans) {
  if (!spans || !spans.length) return [];
  const offsets = unitOffsets(text);
  const last = offsets.length - 1;
  return spans.map((span) => span.map((at) => offsets[Math.min(at, last)]));
}

function toCharacters(text, spans) {
  if (!spans.length) return [];
  const numbers = new Map(unitOffsets(text).map((unit, number) => [unit, number]));
  return spans.map(([start, end]) => [numbers.get(start) ?? 0, numbers.get(end) ?? numbers.size - 1]);
}

// Where a text became another: [start, end of what went, end of what came].
function changedStretch(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return [start, before.length - tail, after.length - tail];
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

// The spans of two stretches of a text that is cut at a place; a doubtful word that is cut goes.
function cutSpans(spans, at) {
  const before = spans.filter(([, end]) => end <= at);
  const after = spans.filter(([start]) => start >= at).map(([start, end]) => [start - at, end - at]);
  return [before, after];
}
