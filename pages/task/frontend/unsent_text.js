// What was typed or chosen and not yet sent, kept for this tab, or for good; a browser may keep nothing.

function withStorage(run) {
  try {
    return run() || "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

const kept = (storage) => (place) => withStorage(() => window[storage].getItem(place));
const keptHere = kept("sessionStorage");
const keptForGood = kept("localStorage"); // in this browser beyond the tab

const keepHere = (place, text) => withStorage(() => (text ? sessionStorage.setItem(place, text) : sessionStorage.removeItem(place)));
const keepForGood = (place, text) => withStorage(() => localStorage.setItem(place, text));

// All whose place begins so.
function dropAllHere(begins) {
  Object.keys(withStorage(() => sessionStorage)).filter((place) => place.startsWith(begins)).forEach((place) => keepHere(place, ""));
}

// The text of a field of an item, with what it `was` made from.
const unsentPlace = (person, item, field = "comment") => `touchstone-${field}-${person}-${item}`;

function keepUnsent(person, { item, field, text, was }) {
  keepHere(unsentPlace(person, item, field), text ? JSON.stringify({ text, was }) : "");
}

function unsentOf(person, item, field) {
  const kept = keptHere(unsentPlace(person, item, field));
  return kept ? JSON.parse(kept) : {};
}

const dropUnsent = (person, item, field) => keepHere(unsentPlace(person, item, field), "");

// The server has the text of this act; one that was typed since is still to be sent.
function forgetUnsent(person, { kind, item, field = kind, text, reason, value }) {
  const kept = unsentOf(person, item, field).text;
  const said = text ?? reason ?? value ?? "";
  const sent = typeof said === "object" ? JSON.stringify(said) : String(said);
  if (kept && kept.trim() === sent.trim()) dropUnsent(person, item, field);
}
