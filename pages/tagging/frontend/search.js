// Finding words in a judgment: letters of either case, any white space between words.

const MOST_MATCHES = 1000;

// The places [start, end) of what was looked for, in order; nothing for nothing.
function matchesOf(text, wanted) {
  const parts = wanted.trim().split(/\s+/).filter(Boolean);
  if (!parts.length) return [];
  const source = parts.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const found = [];
  for (const match of text.matchAll(new RegExp(source, "giu"))) {
    found.push([match.index, match.index + match[0].length]);
    if (found.length === MOST_MATCHES) break;
  }
  return found;
}

// The match to go to from a place: the first behind it, or the last before it; going round.
function matchFrom(matches, place, by) {
  if (!matches.length) return -1;
  if (by > 0) {
    const next = matches.findIndex(([start]) => start >= place);
    return next < 0 ? 0 : next;
  }
  const before = matches.filter(([start]) => start < place).length - 1;
  return before < 0 ? matches.length - 1 : before;
}
