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
