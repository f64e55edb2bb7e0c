// Putting an item right: question, options and answer in a dialog, and the row that tells of it.

function fixRow(viewer) {
  const { words } = viewer;
  const told = element("span", { class: "fixed-words", "data-testid": "fix-told" });
  const edit = element(
    "button",
    { type: "button", class: "choice", "data-testid": "edit-fix", "aria-keyshortcuts": ariaKeys("edit"), onclick: () => openFix(viewer) },
    keyCap(capOf("edit")),
    element("span", {}, words.fix_edit),
  );
  const root = element("div", { class: "ask" }, element("span", { class: "what" }, words.ask_fix), element("div", { class: "answers" }, edit, told));
  const paint = ({ answers, status }, active) => {
    root.classList.toggle("active", active);
    edit.disabled = status === "submitted";
    const begun = answers.verdict === "fix" && status !== "submitted" && new TypedForm(viewer, "fix", null).note;
    told.textContent = [answers.fix && changedWords(viewer, answers.fix), begun].filter(Boolean).join(" · ");
  };
  return { root, paint, missed: new Missed(viewer, root, edit) };
}

// Whether an item is to be fixed, and the fix leaves it as it is.
function changesNothing(fixed, { verdict, fix }) {
  if (verdict !== "fix") return false;
  const same = fix.options.every((text, index) => text === fixed.options[index].trim());
  return same && fix.query === fixed.query.trim() && fix.answer === fixed.stored;
}

// Which parts of the item a fix changes.
function changedWords({ fixed, words }, { query, options, answer }) {
  const changed = [
    query !== fixed.query.trim() && words.fix_query,
    ...options.map((text, index) => text !== fixed.options[index].trim() && fill(words.option_of, { number: index + 1 })),
    answer !== fixed.stored && fill(words.fix_answer_now, { number: answer + 1 }),
  ].filter(Boolean);
  return changed.length ? fill(words.fix_changes, { what: changed.join(", ") }) : words.fix_nothing;
}

function openFix(viewer) {
  const { words, fixed } = viewer;
  const { answers, status } = viewer.shown();
  if (status === "submitted" || stageOf({ answers, status }) !== "compared" || answers.verdict !== "fix") return;
  const typed = new TypedForm(viewer, "fix", { query: fixed.query, options: fixed.options.slice(0, -1), answer: fixed.stored });
  const now = typed.begun;
  const query = element("textarea", { rows: "4", maxlength: "4000", "aria-label": words.fix_query, "data-testid": "fix-query" });
  query.value = now.query;
  const rows = now.options.map((text, index) => fixOption(words, text, index, now.answer));
  const read = () => ({
    query: query.value.trim(),
    options: rows.map(({ input }) => input.value.trim()),
    answer: rows.findIndex(({ radio }) => radio.checked),
  });
  const form = element(
    "form",
    {
      method: "dialog",
      oninput: () => typed.keep(read()),
      onsubmit: () => viewer.answer("fix", read()),
      onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
        else if (event.key === "Enter" && event.target.matches("input[type=text]") && !event.isComposing) event.preventDefault();
      },
    },
    element("label", { class: "fix-query" }, element("span", { class: "eyebrow" }, words.fix_query), query),
    element("span", { class: "eyebrow" }, words.fix_options),
    rows.map(({ root }) => root),
    element(
      "footer",
      {},
      element("span", { class: "quiet" }, words.fix_hint),
      element("button", { type: "submit", class: "primary", "data-testid": "fix-confirm" }, words.fix_confirm, keyCap(capOf("submit"))),
    ),
  );
  openDialog(viewer, "fix", words.fix_title, form, () => viewer.paint());
  query.focus();
}

function fixOption(words, text, index, answer) {
  const number = index + 1;
  const right = fill(words.fix_right, { number });
  const radio = element("input", { type: "radio", name: "fix-answer", title: right, "aria-label": right, "data-testid": `fix-right-${number}` });
  radio.checked = index === answer;
  const label = fill(words.option_of, { number });
  const input = element("input", { type: "text", required: true, maxlength: "2000", "aria-label": label, "data-testid": `fix-option-${number}` });
  input.value = text;
  return { radio, input, root: element("div", { class: "fix-option" }, radio, element("span", { class: "number" }, String(number)), input) };
}
