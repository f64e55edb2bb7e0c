// Places in a judgment. The server counts characters (code points), the browser UTF-16 units.

// What belongs to the character before it: combining marks, joiners, variants, Hangul in parts.
const JOINED = /[\p{M}\u200d\ufe00-\ufe0f\u1160-\u11ff\udc00-\udfff]/u;
const LOW = /[\udc00-\udfff]/;

// Of places in order, the number of those in front for which `holds(index)`.
function countWhile(length, holds) {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Offsets {
  constructor(text) {
    this.length = text.length;
    this.wide = []; // the units at which a character of two units begins
    for (const { index } of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) this.wide.push(index);
  }

  // How many wide characters begin before the unit.
  before(unit) {
    return countWhile(this.wide.length, (index) => this.wide[index] < unit);
  }

  // A unit inside of a wide character counts as the place behind it.
  toPoint(unit) {
    const at = Math.max(0, Math.min(unit, this.length));
    const wide = this.before(at);
    const inside = wide > 0 && this.wide[wide - 1] === at - 1;
    return at - wide + (inside ? 1 : 0);
  }

  toUnit(point) {
    const wide = countWhile(this.wide.length, (index) => this.wide[index] - index < point);
    return Math.max(0, Math.min(point + wide, this.length));
  }
}

function joinedAt(text, unit) {
  if (unit <= 0 || unit >= text.length) return false;
  return LOW.test(text[unit]) || JOINED.test(String.fromCodePoint(text.codePointAt(unit)));
}

// A stretch without white space at its ends, and with the whole of its first and last character;
// null where nothing is left.
function tidied(text, start, end) {
  const inside = (unit) => Math.max(0, Math.min(unit, text.length));
  let [from, to] = [inside(Math.min(start, end)), inside(Math.max(start, end))];
  while (from < to && /\s/.test(text[from])) from += 1;
  while (to > from && /\s/.test(text[to - 1])) to -= 1;
  if (from === to) return null;
  while (joinedAt(text, from) && !/\s/.test(text[from - 1])) from -= 1;
  while (joinedAt(text, to)) to += 1;
  return [from, to];
}
