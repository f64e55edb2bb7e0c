// The keyboard. A screen says what runs for each action; which key that is stands in the map of keys.
// A key with Ctrl or Alt held does what it does while somebody writes, too.
// Rows of {keys, caps, words, run} say what each key does and what the overlay says about it; those
// with `always` work when nothing is left to do, too.

const STEPS = ["part_next", "part_previous", "doubt_next", "doubt_previous"]; // that go on while the key is held
const KEY_REST_MS = 700; // after another item came
const ALWAYS = ["undo", "take_back", "back", "queue", "guideline", "help", "escape"];

function boundKeys(screen, runs) {
  return Object.entries(runs).map(([action, run]) => ({
    action,
    keys: keysOf(action, screen),
    caps: capsOf(action, screen),
    words: wordsOfKey(action, screen),
    run,
    always: ALWAYS.includes(action),
  }));
}

// Letters by their place on the keyboard, for when a Hangul layout is on.
function letterOf(event) {
  if (event.altKey && event.code.startsWith("Digit")) return event.code.slice(5);
  if (/^[\x20-\x7e]$/.test(event.key) || (event.key.length > 1 && !["Process", "Dead"].includes(event.key))) return event.key;
  const places = { BracketLeft: "[", BracketRight: "]", Slash: event.shiftKey ? "?" : "/" };
  if (event.code in places) return places[event.code];
  const letter = event.code.startsWith("Key") ? event.code.slice(3) : event.key;
  return event.shiftKey ? letter : letter.toLowerCase();
}

// A key as the map names it: with what is held, where that is more than Shift with a letter.
function keyPressed(event) {
  const key = letterOf(event);
  const held = [];
  if (event.ctrlKey || event.metaKey) held.push("Control");
  if (event.altKey) held.push("Alt");
  if (event.shiftKey && (key === "Enter") !== held.length > 0) held.push("Shift");
  return held.length ? [...held, key.length === 1 ? key.toLowerCase() : key].join("+") : key;
}

const isHeld = (key) => partsOf(key).length > 1;

// A rhythm of keys that was meant for one item answers nothing of the next one.
function letKeysRest(viewer) {
  clearTimeout(viewer.rest);
  viewer.root.dataset.resting = "";
  viewer.rest = setTimeout(() => delete viewer.root.dataset.resting, KEY_REST_MS);
}

// What changes nothing of an item works at once when it comes: steps, help, the way back.
function restsFor(entry, key) {
  return key === "Enter" || key === " " || Boolean(entry && !entry.always && !STEPS.includes(entry.action));
}

function isTyping(target) {
  return target instanceof Element && (target.matches("input, textarea, select") || target.isContentEditable);
}

// What the keys do in every task, after what the task's own do: {action: run}.
function frameKeys(viewer) {
  return {
    comment: () => viewer.notes.comment.input.focus(),
    thread: () => viewer.thread.toggle(),
    flag: () => viewer.askFlag(),
    skip: () => viewer.askSkip(),
    undo: () => viewer.undo(),
    take_back: () => viewer.back.begin(),
    back: () => viewer.back.go({ kind: "back" }, false),
    keep: () => viewer.back.keep(),
    met_theirs: () => viewer.meeting.choose(false),
    met_mine: () => viewer.meeting.choose(true),
    recheck: () => recheck(viewer),
    sure: (key) => viewer.notes.confidence.choose(keysOf("sure").indexOf(key) + 1),
    submit: () => viewer.submit(),
    queue: () => viewer.askQueue(),
    guideline: () => openGuideline(viewer),
    guideline_find: () => viewer.guide.search(),
    help: () => openKeys(viewer),
    escape: () => {},
  };
}

// Returns a listener for the window. It listens in the capture phase and stops what it has
// handled, or else the app's own shortcuts (r reruns) would fire as well.
function keyListener(viewer) {
  const handled = (event, run) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    run();
  };
  return (event) => {
    const target = event.composedPath()[0];
    const elsewhere = document.querySelector("[role=dialog], [data-baseweb=popover]");
    if (event.isComposing || viewer.root.querySelector("dialog[open]") || elsewhere) return;
    const key = keyPressed(event);
    const writes = isTyping(target);
    const entry = viewer.keys.find((each) => each.keys.includes(key));
    const outside = target instanceof Element && target !== document.body && !viewer.root.contains(target);
    if ("resting" in viewer.root.dataset && !writes && !outside && restsFor(entry, key)) {
      handled(event, () => {});
      return;
    }
    if (keysOf("submit").includes(key) && !(writes && key === "Shift+Enter")) {
      if (!writes || viewer.root.contains(target)) handled(event, () => viewer.finish(target));
      return;
    }
    if (writes && !isHeld(key)) {
      if (key === "Escape" && viewer.root.contains(target)) handled(event, () => viewer.focusWork());
      return;
    }
    const taken = !isHeld(key) && viewer.takes(target, key);
    if (typeof taken === "function") handled(event, taken);
    if (taken) return;
    if (key === "Escape" && viewer.escaped()) {
      handled(event, () => {});
      return;
    }
    const native = target instanceof Element && target.matches("button, a, [role=button], summary, [role=radio]");
    if (native && (key === "Enter" || key === " ")) return;
    if (outside && key.startsWith("Arrow")) return;
    if (!entry || (viewer.fixed.finished && !entry.always)) return;
    if (event.repeat && !key.startsWith("Arrow") && !STEPS.includes(entry.action)) {
      handled(event, () => {});
      return;
    }
    // A digit answers what is asked now, and what that is an undo on its way changes.
    handled(event, () => (/^[0-9]$/.test(key) ? viewer.afterUndo(() => entry.run(key, event)) : entry.run(key, event)));
  };
}
