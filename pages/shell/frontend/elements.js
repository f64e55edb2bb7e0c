// Building blocks. Text from the server only ever becomes text nodes.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  check: "M3 8.5 6.5 12 13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  unsure: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.6 8 9 8 10M8 12.6v.2",
  flag: "M4 14V2.5h7.5L10 5.5l1.5 3H4",
  skip: "M4 3.5 9 8l-5 4.5M12 3.5v9",
  undo: "M6.5 3 3 6.5 6.5 10M3 6.5h6a3.8 3.8 0 0 1 0 7.5H6",
  none: "M8 2.5a5.5 5.5 0 1 0 .01 0M4.2 4.2l7.6 7.6",
  list: "M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.1M2.5 8h.1M2.5 12h.1",
  book: "M8 4C6.5 3 4.5 2.8 2.5 3v9.5c2-.2 4 0 5.5 1 1.5-1 3.5-1.2 5.5-1V3C11.5 2.8 9.5 3 8 4zM8 4v9.5",
  search: "M7 2.5a4.5 4.5 0 1 0 .01 0M10.3 10.3 14 14",
  talk: "M2.5 3.5h11v7.5H8l-3 2.7V11H2.5z",
  down: "M4 6l4 4 4-4",
  graph: "M5 8a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM14.2 3.6a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM14.2 12.4a1.6 1.6 0 1 1-3.2 0 1.6 1.6 0 0 1 3.2 0zM4.9 7.2 11 4.4M4.9 8.8l6.1 2.8",
};

// element("p", {class: "x", onclick: f}, "text", node): null and false attributes and children fall away.
function element(tag, attributes, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A button, a plain one unless it has a class. Of an `action` of the map of keys, the cap stands last and a
// screen reader is told the key.
function button({ action, ...attributes }, ...children) {
  const keys = action && { "aria-keyshortcuts": ariaKeys(action) };
  return element("button", { type: "button", class: "plain", ...keys, ...attributes }, ...children, action && keyCap(capOf(action)));
}

// shape("rect", {x: 1, onclick: f}, child): like element(), in the namespace of drawings.
function shape(tag, attributes, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function icon(name) {
  return shape("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" }, shape("path", { d: ICONS[name] }));
}

// A part of a viewer, which speaks in its words.
class Part {
  constructor(viewer) {
    this.viewer = viewer;
  }

  get words() {
    return this.viewer.words;
  }
}

// fill("{done} of {total}", {done: 3, total: 9}); "{count:word|words}" is the first word where count is 1.
// A Korean particle that the template leaves open, as in 은(는), follows the word before it.
function fill(template, values) {
  let said = "";
  let at = 0;
  for (const found of template.matchAll(/\{(\w+)(?::([^{}|]*)\|([^{}|]*))?\}|은\(는\)|이\(가\)|을\(를\)|와\(과\)|\(으\)로/g)) {
    said += template.slice(at, found.index);
    said += found[1] ? filledIn(found, values) : particle(found[0], said);
    at = found.index + found[0].length;
  }
  return said + template.slice(at);
}

function filledIn([whole, name, one, many], values) {
  if (!(name in values)) return whole;
  if (many === undefined) return String(values[name]);
  return String(values[name]) === "1" ? one : many;
}

// As messages/particles.py chooses, by the final consonant of the word before (8 is ㄹ).
function particle(written, before) {
  const final = finalConsonant(before);
  if (final === null) return written;
  if (written === "(으)로") return final && final !== 8 ? "으로" : "로";
  if (written === "와(과)") return final ? "과" : "와";
  return final ? written[0] : written[2];
}

const PASSED_OVER = /["'”’」』*`….,: ]+$/;
const SOUNDS = { 0: 21, 1: 8, 2: 0, 3: 16, 4: 0, 5: 0, 6: 1, 7: 8, 8: 8, 9: 0, "%": 0 };
const LETTERS = { L: 8, M: 16, N: 4, R: 8 };
const ENDINGS = [
  [/le?$/, 8],
  [/m[be]?$/, 16],
  [/ng$/, 21],
  [/ne?$/, 4],
  [/[aeiouyhwrsxzfvdgjq]$|[^aeiouc][tkpc]$|ct$/, 0],
];

// The index of the last syllable's final consonant, 0 for none; null if it is not known.
function finalConsonant(before) {
  const word = withoutBrackets(before.replace(PASSED_OVER, ""));
  const last = word.slice(-1);
  if (last in SOUNDS) return SOUNDS[last];
  const syllable = (last.charCodeAt(0) || 0) - 0xac00;
  if (syllable >= 0 && syllable <= 0xd7a3 - 0xac00) return syllable % 28;
  const latin = word.slice(-40).match(/[A-Za-z]+$/);
  if (!latin) return null;
  const [said] = latin;
  if (said === said.toUpperCase() || said.length === 1) return LETTERS[said.slice(-1).toUpperCase()] ?? 0;
  const ending = ENDINGS.find(([end]) => end.test(said.toLowerCase()));
  return ending ? ending[1] : null;
}

// The word before closing brackets; what they enclose if there is none.
function withoutBrackets(word) {
  for (;;) {
    const shorter = word.replace(/(?<=\S)\s?(?:\([^()]*\)|\[[^[\]]*\])$/, "").replace(PASSED_OVER, "");
    if (shorter === "" || shorter === word) return word.replace(/[)\]"'”’」』*`….,: ]+$/, "");
    word = shorter;
  }
}

// A text of at most so many characters, none of which is torn apart.
function shortened(text, most) {
  const letters = [...text.slice(0, 2 * most + 2)];
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : text;
}

// Say in a live region what is new; a screen reader would read the same words again.
function announce(region, text) {
  if (region.textContent !== text) region.textContent = text;
}

// Say of a node whether it is the one in hand.
function markCurrent(node, on) {
  if (on) node.setAttribute("aria-current", "true");
  else node.removeAttribute("aria-current");
}

// Whether what is to be drawn in `place` differs from what was drawn there last.
function isNew(place, now) {
  const before = place.drawnNow;
  place.drawnNow = JSON.stringify(now);
  return before !== place.drawnNow;
}

function keyCap(text) {
  return element("kbd", { "aria-hidden": "true" }, text);
}

// Scroll `child` into the visible part of `box`, by no more than is needed.
function reveal(box, child, margin) {
  const outer = box.getBoundingClientRect();
  const inner = child.getBoundingClientRect();
  if (inner.top < outer.top + margin || inner.height > outer.height - 2 * margin) {
    box.scrollTop += inner.top - outer.top - margin;
  } else if (inner.bottom > outer.bottom - margin) {
    box.scrollTop += inner.bottom - outer.bottom + margin;
  }
}

// The same for somebody who goes there: also where the page scrolls instead of the box. What is higher
// than there is room for begins at the top.
function bringTo(box, child, margin) {
  reveal(box, child, margin);
  const { scrollMarginTop, scrollMarginBottom } = getComputedStyle(child);
  const room = window.innerHeight - parseFloat(scrollMarginTop) - parseFloat(scrollMarginBottom);
  const high = box.scrollHeight <= box.clientHeight && child.offsetHeight > room;
  child.scrollIntoView({ block: high ? "start" : "nearest" });
}
