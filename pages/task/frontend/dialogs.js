// Overlays. The browser's own <dialog> keeps the focus inside, closes on Escape and gives the
// focus back.

// Opens a modal dialog over the viewer and returns it; `closed()` runs when it goes.
function openDialog(viewer, name, title, body, closed) {
  const before = viewer.focused();
  const close = button({ class: "close", "aria-label": viewer.words.close, onclick: () => dialog.close() }, icon("cross"));
  const dialog = element("dialog", { class: `overlay ${name}`, "aria-label": title, "data-testid": `dialog-${name}` },
    element("header", {}, element("h2", {}, title), close),
    body,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    // What had the focus may have been drawn anew meanwhile.
    const name = before?.dataset.testid;
    const back = before?.isConnected ? before : name && viewer.root.querySelector(`[data-testid="${name}"]`);
    if (back) back.focus({ preventScroll: true });
    if (closed) closed();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  viewer.root.append(dialog);
  dialog.showModal();
  return dialog;
}

// Fills the viewer anew. A dialog that is open stays so where it is drawn of the same item.
function fillAround(root, same, nodes) {
  const open = same ? root.querySelector(":scope > dialog[open]") : null;
  for (const each of [...root.childNodes]) if (each !== open) each.remove();
  root.prepend(...nodes);
}

function openKeys(viewer) {
  const told = [...viewer.keys, ...(viewer.keysBesides?.() || [])].filter(({ caps, words }) => caps.length && viewer.words[words]);
  const rows = told.map(({ caps, words }) =>
    element("tr", {}, element("td", {}, caps.map(keyCap)), element("td", {}, viewer.words[words])),
  );
  const table = element("table", {}, element("tbody", {}, rows));
  openDialog(viewer, "keys", viewer.words.keys_title, element("div", { class: "keys-body" }, changeKeys(viewer.words), table));
}

// The way to the screen of keys, in a window of its own: what is open here stays open.
function changeKeys(words) {
  const url = new URL("keys", window.location.href);
  const here = new URLSearchParams(window.location.search);
  for (const name of ["project", "person", "lang"]) if (here.has(name)) url.searchParams.set(name, here.get(name));
  return element("a", { href: url.href, target: "_blank", rel: "noopener", "data-testid": "change-keys" }, words.keys_change);
}

// Beside the work, or, where nothing is left to do, over the page.
function openGuideline(viewer) {
  if (!viewer.fixed.finished) return viewer.guide.toggle();
  const clauses = viewer.guideline.blocks.map((block) => new Clause(block));
  clauses.forEach((clause) => clause.narrow(""));
  const version = fill(viewer.words.guideline_version, { version: viewer.guideline.version });
  const foot = element("p", { class: "quiet" }, version);
  const prose = element("div", { class: "prose", tabindex: "0" }, guidelineNews(viewer), clauses.map(({ root }) => root), foot);
  openDialog(viewer, "guideline", viewer.words.guideline, prose);
  prose.focus(); // so that the arrows scroll it
}

// What a draft's guideline has become since: [[kind, text]] with what came and what went.
function guidelineNews({ guideline }) {
  if (!guideline.changes.length) return null;
  const tags = { inserted: "ins", removed: "del", same: "span" };
  const pieces = guideline.changes.map(([kind, text]) => element(tags[kind], {}, text));
  const note = guideline.note ? element("p", { class: "note" }, guideline.note) : null;
  return element("details", { class: "news", open: true, "data-testid": "guideline-news" },
    element("summary", {}, guideline.since),
    note,
    element("div", { class: "changes" }, pieces),
  );
}

// Asks whether to submit what is open as it is, or to look first.
function askToSubmit(viewer, name, title, lead, look, submit, said = viewer.words.asked_submit) {
  const { words } = viewer;
  const going = (run) => () => {
    dialog.close();
    run();
  };
  const way = (which, label, cls, action, run) =>
    button({ class: cls, "data-testid": `${name}-${which}`, onclick: going(run) }, label, keyCap(capOf(action)));
  const keyed = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!event.repeat) going(submit)();
  };
  const first = way("look", words.asked_look, "plain", "go_on", look);
  const foot = element("footer", {}, first, way("submit", said, "primary", "submit", submit));
  const body = element("div", { class: "asked-first", onkeydown: keyed }, element("p", {}, lead), foot);
  const dialog = openDialog(viewer, name, title, body);
  first.focus();
}

// Asks for a reason in a line of text, with some at hand; `done(reason)` gets it. Where the words say
// what it needs, an empty one keeps the dialog open and says so at the field.
function askReason(viewer, name, title, given, done) {
  const { words } = viewer;
  const input = element("input", { type: "text", maxlength: "500", "aria-label": title, placeholder: words.reason });
  const { item } = viewer.moving;
  input.value = unsentOf(viewer.person, item, name).text || given;
  const remember = () => keepUnsent(viewer.person, { item, field: name, text: input.value === given ? "" : input.value });
  input.addEventListener("input", remember);
  let finished = false;
  const needs = element("p", { class: "needs", role: "alert", hidden: true, "data-testid": `${name}-needs` }, words[`${name}_needs`] || "");
  const missing = () => Boolean(words[`${name}_needs`]) && !input.value.trim();
  const refuse = (event) => {
    event.preventDefault();
    needs.hidden = false;
    input.setAttribute("aria-invalid", "true");
    input.focus();
  };
  input.addEventListener("input", () => {
    if (missing()) return;
    needs.hidden = true; // its cause is gone
    input.removeAttribute("aria-invalid");
  });
  const ready = ["1", "2", "3"].map((number) => words[`${name}_reason_${number}`]);
  let digit = ""; // that chose what the field says
  const take = (text) => {
    input.value = text;
    input.dispatchEvent(new Event("input")); // that something was missing is not so any more
    input.focus();
  };
  const finish = (reason) => {
    finished = true;
    if (!reason) dropUnsent(viewer.person, item, name);
    done(reason);
  };
  // A digit chooses a reason while the field is empty; whoever writes on meant the digit itself.
  const chosen = (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = keysOf("option").indexOf(event.key);
    const before = digit;
    digit = "";
    if (!input.value && ready[at]) {
      event.preventDefault();
      digit = event.key;
      take(ready[at]);
    } else if (before && (event.key.length === 1 || event.key === "Process")) input.value = before;
  };
  input.addEventListener("keydown", chosen);
  const pick = (text, at) =>
    button({ class: "chip-button", onclick: () => { digit = ""; take(text); } }, keyCap(capOf("option", at)), text);
  const clear = () => {
    dialog.close();
    finish("");
  };
  const form = element("form", {
    method: "dialog",
    onsubmit: (event) => (missing() ? refuse(event) : finish(input.value.trim())),
    // as everywhere else on the screen; a plain Enter is the browser's own
    onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
    },
  },
    element("div", { class: "chips" }, ready.map(pick)),
    input,
    needs,
    element("footer", {},
      element("span", { class: "quiet" }, words[`${name}_hint`]),
      given && name === "flag"
        ? button({ onclick: clear }, words.flag_clear)
        : null,
      element("button", { type: "submit", class: "primary", "data-testid": `${name}-confirm` },
        words[`${name}_confirm`],
      ),
    ),
  );
  // What was typed is there again when it is opened the next time on this item.
  const dialog = openDialog(viewer, name, title, form, () => {
    if (!finished) remember();
  });
  input.focus();
}

// A field that narrows a list as one types, and the keys of both: arrows move, Enter presses the
// first, or else goes to it. `rows` returns what is left under the lower-case words, `pressable`
// selects what is pressed.
function narrowed(viewer, label, list, pressable, rows, presses = true) {
  const field = element("input", { type: "search", "aria-label": label, placeholder: label });
  const draw = () => list.replaceChildren(...rows(field.value.trim().toLowerCase()));
  const move = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...list.querySelectorAll(pressable)];
    if (event.key === "Enter" && viewer.focused() === field && buttons.length) {
      event.preventDefault();
      buttons[0][presses ? "click" : "focus"]();
    }
    if (!step || !buttons.length) return;
    event.preventDefault();
    const at = buttons.indexOf(viewer.focused()) + step;
    (at < 0 ? field : buttons[Math.min(at, buttons.length - 1)]).focus();
  };
  field.addEventListener("input", draw);
  draw();
  return { field, move };
}

// What was asked of the server twice, or is told anew with the page, is open already.
const isOpen = (viewer, name) => Boolean(viewer.root.querySelector(`dialog.${name}[open]`));

// The queue, or some entries of it: type to narrow it, arrows to move, Enter to go.
function openQueue(viewer, entries, title = viewer.words.queue) {
  const { words } = viewer;
  if (isOpen(viewer, "queue")) return;
  const list = element("ul", { class: "entries" });
  const row = ([item, position, externalId, question, status, messages]) =>
    element("li", { class: "entry-row" },
      button({
        class: "entry",
        "aria-current": item === viewer.moving.item ? "true" : null,
        "data-testid": "queue-entry",
        "data-item": item,
        onclick: () => { dialog.close(); viewer.leave({ kind: "open", item }); },
      },
        element("span", { class: "at" }, String(position)),
        element("span", { class: `state ${status}` }, words[`item_${status}`]),
        element("span", { class: "id" }, externalId),
        element("span", { class: "asked" }, question),
      ),
      messages ? talk(item, messages) : null,
    );
  const talk = (item, messages) => {
    const run = () => { dialog.close(); viewer.talkAbout(item); };
    const label = fill(words.thread_of, { count: messages });
    const named = { title: label, "aria-label": label, "data-testid": "entry-thread" };
    return button({ class: "plain talk", ...named, onclick: run }, icon("talk"), String(messages));
  };
  const matching = (wanted) => entries.filter((entry) => {
    const text = `${entry[1]} ${entry[2]} ${entry[3]} ${words[`item_${entry[4]}`]}`;
    return text.toLowerCase().includes(wanted);
  });
  const { field, move } = narrowed(
    viewer, words.queue_filter, list, ".entry", (wanted) => matching(wanted).map(row),
  );
  const body = element("div", { class: "queue-body", onkeydown: move }, field, list);
  const dialog = openDialog(viewer, "queue", title, body);
  field.focus();
  const current = list.querySelector("[aria-current]");
  if (current) current.scrollIntoView({ block: "center" });
}
