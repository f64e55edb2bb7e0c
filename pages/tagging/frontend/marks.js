// What is marked in a stretch of text: evidence, what a model quoted, what a search found.

// Cut [start, end) where a mark begins or ends; returns [from, to, marks] in order. Marks may
// overlap; each has `start` and `end`.
function piecesOf(start, end, marks) {
  const here = marks.filter((mark) => mark.start < end && mark.end > start);
  const cuts = new Set([start, end]);
  for (const mark of here) {
    cuts.add(Math.max(start, mark.start));
    cuts.add(Math.min(end, mark.end));
  }
  const places = [...cuts].sort((one, other) => one - other);
  return places.slice(0, -1).map((from, index) => {
    const to = places[index + 1];
    return [from, to, here.filter((mark) => mark.start < to && mark.end > from)];
  });
}

// The lines of [start, end) as [from, to], without their line breaks.
function lineSpans(text, start, end) {
  const spans = [];
  let from = start;
  while (from <= end) {
    const found = text.indexOf("\n", from);
    const to = found < 0 || found > end ? end : found;
    spans.push([from, to]);
    from = to + 1;
  }
  if (spans.length > 1 && spans.at(-1)[0] === spans.at(-1)[1]) spans.pop();
  return spans;
}
