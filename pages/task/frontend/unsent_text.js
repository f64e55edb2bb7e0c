// What was typed or chosen and not yet sent, kept for this tab; a browser may keep nothing.

function keepHere(place, text) {
  try {
    if (text) sessionStorage.setItem(place, text);
    else sessionStorage.removeItem(place);
  } catch {
    // a browser that keeps nothing
  }
}

function keptHere(place) {
  try {
    return sessionStorage.getItem(place) || "";
  } catch {
    return "";
  }
}

// All whose place begins so.
function dropAllHere(begins) {
  try {
    for (const place of Object.keys(sessionStorage)) if (place.startsWith(begins)) sessionStorage.removeItem(place);
  } catch {
    // a browser that keeps nothing
  }
}

// Kept in this browser beyond the tab; a browser may keep nothing.
function keepForGood(place, text) {
  try {
    localStorage.setItem(place, text);
  } catch {
    // a browser that keeps nothing
  }
}

function keptForGood(place) {
  try {
    return localStorage.getItem(place) || "";
  } catch {
    return "";
  }
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
