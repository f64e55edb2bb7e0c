// Putting a question right: its words and its answer in a dialog, and the row that tells of it.

function editRow(viewer) {
  const { words } = viewer;
  const told = element("span", { class: "fixed-words", "data-testid": "edit-told" });
  const edit = element(
    "button",
    { type: "button", class: "choice", "data-testid": "edit-question", "aria-keyshortcuts": ariaKeys("edit"), onclick: () => openEdit(viewer) },
    keyCap(capOf("edit")),
    element("span", {}, words.edit_edit),
  );
  const root = element("div", { class: "ask" }, element("span", { class: "what" }, words.ask_edit), element("div", { class: "answers" }, edit, told));
  const paint = ({ answers, status }, active) => {
    root.classList.toggle("active", active);
    edit.disabled = status === "submitted";
    const begun = answers.verdict === "edit" && status !== "submitted" && new TypedForm(viewer, "edit", null).note;
    told.textContent = [answers.edit && changedWords(viewer, answers.edit), begun].filter(Boolean).join(" · ");
  };
  return { root, paint, missed: new Missed(viewer, root, edit) };
}

// Whether a question is to be edited, and the correction leaves it as it is.
function changesNothing({ fixed }, { verdict, edit }) {
  return verdict === "edit" && edit.question === fixed.text.trim() && edit.answer === fixed.answer.trim();
}

// Which parts a correction changes.
function changedWords({ fixed, words }, { question, answer }) {
  const changed = [
    question !== fixed.text.trim() && words.question,
    answer !== fixed.answer.trim() && words.answer,
  ].filter(Boolean);
  return changed.length ? fill(words.edit_changes, { what: changed.join(", ") }) : words.edit_nothing;
}

function openEdit(viewer) {
  const { words, fixed } = viewer;
  const { answers, status } = viewer.shown();
  if (status === "submitted" || stageOf({ answers, status }) !== "told" || answers.verdict !== "edit") return;
  const typed = new TypedForm(viewer, "edit", { question: fixed.text, answer: fixed.answer });
  const now = typed.begun;
  const question = area(words.question, now.question, "edit-text", 5);
  const answer = area(words.answer, now.answer, "edit-answer", 7);
  const read = () => ({ question: question.input.value.trim(), answer: answer.input.value.trim() });
  const form = element(
    "form",
    {
      method: "dialog",
      oninput: () => typed.keep(read()),
      onsubmit: () => viewer.answer("edit", read()),
      onkeydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) form.requestSubmit();
      },
    },
    question.root,
    answer.root,
    element(
      "footer",
      {},
      element("span", { class: "quiet" }, words.edit_hint),
      element("button", { type: "submit", class: "primary", "data-testid": "edit-confirm" }, words.edit_confirm, keyCap(capOf("submit"))),
    ),
  );
  openDialog(viewer, "edit", words.edit_title, form, () => viewer.paint());
  question.input.focus();
}

function area(label, text, name, rows) {
  const input = element("textarea", { rows: String(rows), maxlength: "20000", required: true, "aria-label": label, "data-testid": name });
  input.value = text;
  return { input, root: element("label", { class: "edit-part" }, element("span", { class: "eyebrow" }, label), input) };
}
