// The keyboard. Rows of {keys, caps, words, run} say what each key does and what the overlay says
// about it; those with `always` work when nothing is left to do, too.

// Letters by their place on the keyboard, for when a Hangul layout is on.
function letterOf(event) {
  if (/^[\x20-\x7e]$/.test(event.key) || (event.key.length > 1 && event.key !== "Process")) return event.key;
  const places = { BracketLeft: "[", BracketRight: "]", Slash: event.shiftKey ? "?" : "/" };
  if (event.code in places) return places[event.code];
  const letter = event.code.startsWith("Key") ? event.code.slice(3) : event.key;
  return event.shiftKey ? letter : letter.toLowerCase();
}

function isTyping(target) {
  return target instanceof Element && (target.matches("input, textarea, select") || target.isContentEditable);
}

// What the keys do in every task, after what the task's own do.
function frameKeys(viewer) {
  return [
    { keys: ["c"], caps: ["c"], words: "key_comment", run: () => viewer.notes.comment.focus() },
    { keys: ["t"], caps: ["t"], words: "key_thread", run: () => viewer.thread.toggle() },
    { keys: ["f"], caps: ["f"], words: "key_flag", run: () => viewer.askFlag() },
    { keys: ["s"], caps: ["s"], words: "key_skip", run: () => viewer.askSkip() },
    { keys: ["z"], caps: ["z"], words: "key_undo", run: () => viewer.undo(), always: true },
    { keys: ["Z"], caps: ["⇧ z"], words: "key_take_back", run: () => viewer.back.begin(), always: true },
    { keys: ["q"], caps: ["q"], words: "key_back", run: () => viewer.back.go({ kind: "back" }, false), always: true },
    { keys: ["y"], caps: ["y"], words: "key_keep", run: () => viewer.back.keep() },
    { keys: ["T"], caps: ["⇧ t", "⇧ m"], words: "key_met", run: () => viewer.meeting.choose(false) },
    { keys: ["M"], caps: [], words: "key_met", run: () => viewer.meeting.choose(true) },
    { keys: ["w"], caps: ["w"], words: "key_recheck", run: () => recheck(viewer) },
    ...[1, 2, 3, 4, 5].map((value) => sureRow(viewer, value)),
    { keys: [], caps: ["Ctrl ↵", "⇧ ↵"], words: "key_submit", run: () => viewer.submit() },
    { keys: ["g"], caps: ["g"], words: "key_queue", run: () => viewer.askQueue(), always: true },
    { keys: ["h"], caps: ["h"], words: "key_guideline", run: () => openGuideline(viewer), always: true },
    { keys: ["?"], caps: ["?"], words: "key_help", run: () => openKeys(viewer), always: true },
    { keys: [], caps: ["Esc"], words: "key_escape", run: () => {} },
  ];
}

// One row of the overlay stands for all five.
function sureRow(viewer, value) {
  const run = () => viewer.notes.confidence.choose(value);
  return { keys: [String(value)], caps: value === 1 ? ["1 … 5", "Alt 1 … 5"] : [], words: "key_sure", run };
}

// How sure the person is can be said while they write, too.
function sureOf(event) {
  const digit = event.altKey && !event.ctrlKey && !event.metaKey && /^Digit([1-5])$/.exec(event.code);
  return digit ? Number(digit[1]) : null;
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
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey || (event.shiftKey && !isTyping(target)))) {
      if (!isTyping(target) || viewer.root.contains(target)) handled(event, () => viewer.finish(target));
      return;
    }
    if (sureOf(event) && !viewer.fixed.finished) {
      handled(event, () => viewer.notes.confidence.choose(sureOf(event)));
      return;
    }
    if (isTyping(target)) {
      if (event.key === "Escape" && viewer.root.contains(target)) handled(event, () => viewer.focusWork());
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = letterOf(event);
    if (viewer.takes(target, key)) return;
    if (key === "Escape" && viewer.escaped()) {
      handled(event, () => {});
      return;
    }
    const native = target instanceof Element && target.matches("button, a, [role=button], summary, [role=radio]");
    if (native && (key === "Enter" || key === " ")) return;
    const outside = target instanceof Element && target !== document.body && !viewer.root.contains(target);
    if (outside && key.startsWith("Arrow")) return;
    const entry = viewer.keys.find((each) => each.keys.includes(key));
    if (!entry || (viewer.fixed.finished && !entry.always)) return;
    if (event.repeat && !key.startsWith("Arrow") && key !== "j" && key !== "k") {
      handled(event, () => {});
      return;
    }
    handled(event, entry.run);
  };
}
