// Long text in blocks. A browser breaks a paragraph into lines in a time that grows with the square
// of its length, so that no paragraph may be long; and what is not in sight is not laid out at all.

const BLOCK = 1500; // characters of one block, at most
const HEAD = 6000; // characters that a folded text draws

// Where to end a piece that begins at `from`: behind a line's end, else behind a space, else where no
// character is torn apart.
function blockEnd(text, from, most) {
  const end = from + most;
  if (end >= text.length) return text.length;
  for (const gap of ["\n", " "]) {
    const at = text.lastIndexOf(gap, end - 1);
    if (at >= from + most / 2) return at + 1;
  }
  const low = text.charCodeAt(end);
  return low >= 0xdc00 && low <= 0xdfff && most > 1 ? end - 1 : end;
}

// Pieces are [text, what]. Returns lists of pieces, each of at most BLOCK characters. Where a block
// ends is decided on the text of all pieces: what is left of a block may be too short for a word.
function blocksOf(pieces) {
  const text = pieces.map(([part]) => part).join("");
  const blocks = [];
  let [end, from] = [0, 0]; // of the block, and of the piece
  for (const [part, what] of pieces) {
    for (let at = 0; at < part.length; ) {
      if (from + at === end) {
        blocks.push([]);
        end = blockEnd(text, end, BLOCK);
      }
      const to = Math.min(part.length, end - from);
      blocks[blocks.length - 1].push([part.slice(at, to), what]);
      at = to;
    }
    from += part.length;
  }
  return blocks;
}

const sizeOf = (line) => line.reduce((sum, [text]) => sum + text.length, 0);

// From the line at `first` on, as many lines as have HEAD characters together, and one at least.
function headOf(lines, first) {
  const shown = [];
  for (let [at, size] = [first, 0]; at < lines.length && size < HEAD; at += 1) {
    shown.push(lines[at]);
    size += sizeOf(lines[at]);
  }
  return shown;
}

// The drawn lines of a long text, in stretches that are laid out when they come into sight.
function stretches(lines, draw) {
  const made = [];
  let room = 0;
  for (const line of lines) {
    if (room <= 0) {
      made.push(element("div", { class: "fold-stretch" }));
      room = HEAD;
    }
    made[made.length - 1].append(draw(line));
    room -= sizeOf(line);
  }
  return made;
}

// The stretch [from, to) of a text in stretches of at most BLOCK characters.
function shortSpans(text, from, to) {
  const spans = [];
  for (let at = from; to - at > BLOCK; at = spans[spans.length - 1][1]) spans.push([at, blockEnd(text, at, BLOCK)]);
  const last = spans.length ? spans[spans.length - 1][1] : from;
  return [...spans, [last, to]];
}
