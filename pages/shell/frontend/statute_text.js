// Statute text: one block per line with the indentation of its level, matched terms and cited
// places marked, a folded text shown from what was cited or matched on.

const MARK = 1;
const PINPOINT = 2;
const LEVELS = [
  [/^\s*(?:[①-⑳㉑-㉟㊱-㊿]|\(\d+\))/, "paragraph"],
  [/^\s*\d+(?:의\d+)?\./, "point"],
  [/^\s*(?:[가-하a-z]\.|\([a-z]\))/, "subpoint"],
  [/^\s*\d+\)/, "subsubpoint"],
];

function levelOf(line) {
  const found = LEVELS.find(([pattern]) => pattern.test(line));
  return found ? found[1] : "plain";
}

// Pieces are [text, bits]; returns one list of pieces per line of the text, several for a long line.
// `start` of a list is its place in the text.
function linesOf(pieces) {
  const lines = [placed([], 0)];
  let at = 0;
  for (const [text, bits] of pieces) {
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push(placed([], (at += 1)));
      if (part) lines[lines.length - 1].push([part, bits]);
      at += part.length;
    });
  }
  const said = lines.filter((line) => line.some(([text]) => text.trim()));
  return said.flatMap((line) => (sizeOf(line) > BLOCK ? inPlace(blocksOf(line), line.start) : [line]));
}

function placed(line, start) {
  return Object.assign(line, { start });
}

function inPlace(blocks, start) {
  let at = start;
  return blocks.map((block) => placed(block, (at += sizeOf(block)) - sizeOf(block)));
}

function markedPiece([text, bits]) {
  return bits & MARK ? element("mark", {}, text) : text;
}

function statuteLine(line) {
  const text = line.map(([part]) => part).join("");
  const cited = line.some(([, bits]) => bits & PINPOINT);
  return element("p", { class: `line ${levelOf(text)}${cited ? " cited" : ""}` }, line.map(markedPiece));
}

// A unit's text as a fold. `options` are those of a fold.
function statuteFold(pieces, options) {
  const lines = linesOf(pieces);
  const box = element("div", { class: "text", "data-testid": "unit-text" });
  return new Fold(box, lines, statuteLine, { first: firstSeen(lines), aim, ...options });
}

// The line from which a folded text is drawn: the first, unless what was cited or matched stands
// beyond the head of the text.
function firstSeen(lines) {
  const has = (wanted) => lines.findIndex((line) => line.some(([, bits]) => bits & wanted));
  const wanted = [has(PINPOINT), has(MARK)].find((at) => at >= 0) ?? 0;
  const drawn = headOf(lines, 0).length;
  return drawn === lines.length || drawn > wanted + 2 ? 0 : Math.max(0, wanted - 2);
}

// How far down the cited place stands, or else the first matched term, for the window of a folded text.
function aim(text) {
  const lineHeight = parseFloat(getComputedStyle(text).lineHeight);
  const legible = Math.floor(text.clientHeight / lineHeight) - 2; // lines that are plainly legible
  const cited = text.querySelector(".cited");
  const mark = text.querySelector("mark");
  let top = 0;
  if (cited) top = cited.offsetTop - lineHeight;
  else if (mark && mark.offsetTop > legible * lineHeight) {
    const start = mark.closest(".line").offsetTop;
    top = Math.max(start, mark.offsetTop - (legible - 1) * lineHeight) - lineHeight;
  }
  return Math.max(0, Math.round(top / lineHeight) * lineHeight);
}
