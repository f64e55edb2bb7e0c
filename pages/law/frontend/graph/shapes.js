// Building blocks of the drawing. Text only ever becomes text nodes.

// One dash and one colour per type of edge: either alone tells them apart.
const STROKES = {
  references: ["", "var(--quiet)"],
  delegates_to: ["10 4", "var(--st-blue-text-color)"],
  specifies: ["10 3 2 3", "var(--st-green-text-color)"],
  applies: ["5 3", "var(--st-red-text-color)"],
  defines: ["2 3", "var(--st-violet-text-color)"],
  requires_form: ["14 3 2 3 2 3", "var(--st-orange-text-color)"],
  co_specifies: ["1 3 6 3", "var(--st-yellow-text-color)"],
  parallel: ["1 4", "var(--ink)"],
  part_of: ["18 6", "var(--line)"],
};

// The width of a text in ems of the page's own font, as heavy as any of it is drawn.
const RULER = document.createElement("canvas").getContext("2d");

function ems(text) {
  RULER.font = `600 100px ${getComputedStyle(document.body).fontFamily}`;
  return RULER.measureText(text).width / 100;
}

function cutTo(text, width) {
  if (ems(text) <= width) return text;
  const chars = [...text];
  while (chars.length && ems(chars.join("")) > width - 0.8) chars.pop();
  return `${chars.join("").trimEnd()}…`;
}

// Cut in the middle: the end of a statute's name tells act, decree and rule apart.
function cutMiddle(text, width) {
  if (ems(text) <= width) return text;
  const tail = [...text].slice(-7).join("").trimStart();
  return `${cutTo(text, width - ems(tail))}${tail}`;
}

// A sample of an edge's line, for the legend.
function lineSample(type) {
  const [dash, colour] = STROKES[type];
  const line = shape("path", { d: "M1 6H37", "stroke-dasharray": dash || null, style: `stroke: ${colour}` });
  return shape("svg", { class: "line-sample", viewBox: "0 0 38 12", "aria-hidden": "true" }, line);
}
