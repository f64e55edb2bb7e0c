// How keys of the map are written: on caps, for screen readers, and as this person has them.

const CAPS = { ArrowDown: "↓", ArrowUp: "↑", ArrowRight: "→", ArrowLeft: "←", Enter: "↵", " ": "Space", PageDown: "PgDn", PageUp: "PgUp", Delete: "Del", Escape: "Esc", Control: "Ctrl", Shift: "⇧" };
const UNTOLD = ["=", "Backspace"]; // that do the same and need no word

let ownKeys = {}; // of the person who looks: action → key, in place of the map's

function useKeys(own) {
  ownKeys = own || {};
}

// The keys of an action on a screen, the one that is told first.
function keysOf(action, screen = "") {
  const { keys, also = [], first = {} } = KEY_MAP[action];
  const named = action in ownKeys ? [ownKeys[action]] : keys.slice(0, first[screen]);
  return [...named, ...also];
}

// What an action is called on a screen: a name of its words.
function wordsOfKey(action, screen) {
  const { on } = KEY_MAP[action];
  return screen in on ? on[screen] : on[""];
}

// "Control+Enter" is held in parts; "+" alone is a key.
const partsOf = (key) => (key.length > 1 ? key.split("+") : [key]);

// The capital letters are those with Shift.
function partsHeld(key) {
  return partsOf(key).flatMap((part) => (/^[A-Z]$/.test(part) ? ["Shift", part.toLowerCase()] : [part]));
}

const capText = (key) => partsHeld(key).map((part) => CAPS[part] || part).join(" ");

// The cap of an action on a button, "" where no key is left, and what a screen reader says of it.
const capOf = (action, at = 0) => capText(keysOf(action)[at] || "");
const ariaKeys = (action, at = 0) => partsHeld(keysOf(action)[at]).join("+");

// Words that name keys, as "{key_skip}", with the caps of those keys.
function withCaps(words) {
  const named = (text) => text.replace(/\{key_(\w+)\}/g, (_whole, action) => capOf(action));
  return Object.fromEntries(Object.entries(words).map(([name, text]) => [name, named(text)]));
}

// The caps of an action in the list of keys: of digits one cap stands for all.
function capsOf(action, screen) {
  const keys = keysOf(action, screen).filter((key) => !UNTOLD.includes(key));
  const digits = keys.filter((key) => /(^|\+)[1-9]$/.test(key));
  if (digits.length < 4) return keys.map(capText);
  const rest = keys.filter((key) => !digits.includes(key));
  return [`${capText(digits[0])} … ${partsOf(digits.at(-1)).at(-1)}`, ...rest.map(capText)];
}
