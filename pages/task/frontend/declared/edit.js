// Putting given parts right: in a dialog, with a row that shows what became different. A part is a text
// or a list of texts, of which one may be the right one: {name, label, kind, rows, max, right}. What they say now comes with the item.

// What of a part a correction makes different: pairs of the text before and now, with their label.
function changedTexts({ name, label, kind }, said, now, words) {
  if (kind !== "list") return said[name] === now[name].trim() ? [] : [[label, now[name].trim(), said[name]]];
  const pairs = said[name].map((text, at) => [fill(words.option_of, { number: at + 1 }), now[name][at].trim(), text]);
  return pairs.filter(([, before, after]) => before !== after);
}

function changedParts({ parts }, said, now, words) {
  return parts.flatMap((part) => {
    const { right } = part;
    const texts = changedTexts(part, said, now, words);
    return right && said[right] !== now[right] ? [...texts, [fill(words.edit_right_now, { number: said[right] + 1 }), "", ""]] : texts;
  });
}

// Which parts of it a correction changes, in words.
function changedWords(field, said, now, words) {
  const changed = changedParts(field, said, now, words).map(([label]) => label);
  return changed.length ? fill(words.edit_changes, { what: changed.join(", ") }) : words.edit_nothing;
}

// A correction as a line of text.
function wholeEdit({ parts }, said) {
  return parts.map((part) => {
    if (part.kind !== "list") return said[part.name];
    return said[part.name].map((text, at) => `${at + 1}. ${text}${part.right && at === said[part.right] ? " ✓" : ""}`).join("  ");
  }).join(" — ");
}

class EditRow {
  constructor(viewer, name, field) {
    Object.assign(this, { viewer, name, field });
    this.told = element("span", { class: "fixed-words", "data-testid": `${name}-told` });
    this.diff = element("div", { class: "edit-diff", hidden: true, "data-testid": `${name}-diff` });
    this.open = button(
      { class: "choice", "data-testid": `open-${name}`, "aria-keyshortcuts": ariaKeys("edit"), onclick: () => openEdit(viewer, name) },
      keyCap(capOf("edit")),
      element("span", {}, viewer.words.edit_open),
    );
    this.root = element("div", { class: "ask" }, element("span", { class: "what" }, field.label), element("div", { class: "answers" }, this.open, this.told, this.diff));
    this.missed = new Missed(viewer, this.root, this.open);
  }

  // A digit opens the dialog again and writes nothing.
  pick() {
    openEdit(this.viewer, this.name, true);
    return true;
  }

  paint({ answers, status }, active) {
    const { viewer, name, field } = this;
    const now = viewer.fixed.now?.[name];
    const submitted = status === "submitted";
    const said = answers[name];
    this.root.classList.toggle("active", active);
    this.open.disabled = submitted;
    const begun = viewer.form.shows(name, answers) && !submitted && new TypedForm(viewer, name, null).note;
    this.told.textContent = [said && changedWords(field, said, now, viewer.words), begun].filter(Boolean).join(" · ");
    if (!isNew(this, said ?? null)) return;
    const texts = said ? changedParts(field, said, now, viewer.words).filter(([, before, after]) => before !== after) : [];
    this.diff.hidden = !texts.length;
    this.diff.replaceChildren(...texts.map(([, before, after]) => element("p", {}, diffNodes(before, after))));
  }
}

// Opened by the answer that asks for it, the dialog has the focus and no field of it: what is typed on
// by the rhythm of the digits is no text.
function openEdit(viewer, name, atRest = false) {
  const field = viewer.form.fields[name];
  const { words } = viewer;
  const shown = viewer.shown();
  if (!viewer.form.rowsOf(viewer.form.stageOf(shown), shown).includes(name)) return;
  const typed = new TypedForm(viewer, name, viewer.fixed.now[name]);
  const parts = field.parts.map((part) => (part.kind === "list" ? listPart : textPart)(name, part, typed.begun, words));
  const read = () => Object.assign({}, ...parts.map((part) => part.read()));
  const form = element("form", {
    method: "dialog",
    tabindex: "-1",
    oninput: () => typed.keep(read()),
    onsubmit: () => viewer.answer(name, read()),
    onkeydown: (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
      else if (event.key === "Enter" && event.target.matches("input[type=text]") && !event.isComposing) event.preventDefault();
    },
  },
    parts.map(({ root }) => root),
    element("footer", {},
      element("span", { class: "quiet" }, field.hint),
      element("button", { type: "submit", class: "primary", "data-testid": `${name}-confirm` }, words.edit_confirm, keyCap(capOf("submit"))),
    ),
  );
  openDialog(viewer, name, field.title, form, () => viewer.paint()).classList.add("edit");
  (atRest ? form : parts[0].input).focus();
}

// Opens the correction that is asked for now, to write at once.
function openAskedEdit(viewer) {
  const shown = viewer.shown();
  const asked = viewer.form.rowsOf(viewer.form.stageOf(shown), shown).find((row) => viewer.form.fields[row]?.kind === "edit");
  if (asked) openEdit(viewer, asked);
}

function textPart(field, { name, label, rows, max }, begun) {
  const input = element("textarea", { rows, maxlength: max, required: true, "aria-label": label, "data-testid": `${field}-${name}` });
  input.value = begun[name];
  const root = element("label", { class: "edit-part" }, element("span", { class: "eyebrow" }, label), input);
  return { input, root, read: () => ({ [name]: input.value.trim() }) };
}

function listPart(field, { name, label, max, right }, begun, words) {
  const rows = begun[name].map((text, at) => {
    const number = at + 1;
    const said = right ? fill(words.edit_right, { number }) : null;
    const radio = right && element("input", { type: "radio", name: `${field}-right`, title: said, "aria-label": said, "data-testid": `${field}-right-${number}` });
    if (radio) radio.checked = at === begun[right];
    const input = element("input", { type: "text", required: true, maxlength: max, "aria-label": fill(words.option_of, { number }), "data-testid": `${field}-option-${number}` });
    input.value = text;
    return { radio, input, root: element("div", { class: "edit-line" }, radio, element("span", { class: "number" }, String(number)), input) };
  });
  const read = () => ({
    [name]: rows.map(({ input }) => input.value.trim()),
    ...(right ? { [right]: rows.findIndex(({ radio }) => radio.checked) } : {}),
  });
  return { input: rows[0].input, root: element("div", { class: "edit-lines" }, element("span", { class: "eyebrow" }, label), rows.map(({ root }) => root)), read };
}
