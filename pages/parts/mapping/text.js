// Statute text: one block per line with the indentation of its level, matched terms and cited
// places marked, long texts shown as a window around what was cited or matched.

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

// Pieces are [text, bits]; returns one list of pieces per line of the text.
function linesOf(pieces) {
  const lines = [[]];
  for (const [text, bits] of pieces) {
    text.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part) lines[lines.length - 1].push([part, bits]);
    });
  }
  return lines.filter((line) => line.some(([text]) => text.trim()));
}

function markedPiece([text, bits]) {
  return bits & MARK ? element("mark", {}, text) : text;
}

function statuteLine(line) {
  const text = line.map(([part]) => part).join("");
  const cited = line.some(([, bits]) => bits & PINPOINT);
  return element(
    "p",
    { class: `line ${levelOf(text)}${cited ? " cited" : ""}` },
    line.map(markedPiece),
  );
}

function statuteText(pieces) {
  return element("div", { class: "text", "data-testid": "unit-text" }, linesOf(pieces).map(statuteLine));
}

// Bring the cited place, or else the first matched term, into the window of a clipped text.
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
  text.scrollTop = Math.max(0, Math.round(top / lineHeight) * lineHeight);
  text.classList.toggle("middle", text.scrollTop > 0);
}
