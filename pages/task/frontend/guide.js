// The guideline beside the work, with the codebook: open from item to item, searched as one types, and
// at the clause of the field in hand, which is found by the names that the field and the text share.

const GUIDE_PLACE = "touchstone-guideline";

class GuidePane extends Part {
  // `before` is the pane of the item before.
  constructor(viewer, before) {
    super(viewer);
    this.before = before;
    const { words, guideline } = viewer;
    const named = { placeholder: words.guide_find_short, "aria-label": words.guide_find, "aria-keyshortcuts": ariaKeys("guideline_find"), "data-testid": "guide-find" };
    this.find = element("input", { type: "search", ...named, oninput: () => this.narrow() });
    this.find.value = before ? before.find.value : "";
    this.none = element("p", { class: "quiet", role: "status", hidden: true }, words.guide_none);
    const book = codebookOf(viewer);
    this.clauses = [...guideline.blocks.map((block) => new Clause(block)), ...book];
    this.bookTitle = book.length ? element("h3", {}, words.codebook) : null;
    this.news = guidelineNews(viewer);
    const version = element("p", { class: "quiet" }, fill(words.guideline_version, { version: guideline.version }));
    const own = this.clauses.filter((each) => !book.includes(each));
    this.text = element("div", { class: "prose", tabindex: "0", role: "group", "aria-label": words.guideline },
      this.none,
      guideline.under ? element("p", { class: "quiet", "data-testid": "guide-under" }, guideline.under) : null,
      this.news,
      own.map(({ root }) => root),
      this.bookTitle,
      book.map(({ root }) => root),
      version,
    );
    const close = button({ "aria-label": words.close, "data-testid": "guide-close", onclick: () => this.toggle() }, icon("cross"));
    this.root = element(
      "aside",
      { class: "guide", hidden: keptForGood(GUIDE_PLACE) !== "open", "aria-label": words.guideline, "data-testid": "guide" },
      element("header", {}, element("h2", { class: "eyebrow" }, words.guideline), this.find, keyCap(capOf("guideline_find")), close),
      this.text,
    );
    this.narrow();
  }

  get open() {
    return !this.root.hidden;
  }

  // It is on the page now.
  placed() {
    this.text.scrollTop = this.before ? this.before.text.scrollTop : 0;
    this.before = null;
    this.viewer.work.classList.toggle("with-guide", this.open);
  }

  toggle() {
    const inside = this.root.contains(this.viewer.focused());
    this.root.hidden = this.open;
    keepForGood(GUIDE_PLACE, this.open ? "open" : "closed");
    this.followed = null;
    this.viewer.widened();
    if (inside) this.viewer.focusWork();
  }

  // Opens where something is looked for; what was looked for last is chosen, to be written over.
  search() {
    if (!this.open) this.toggle();
    this.find.focus({ preventScroll: true });
    this.find.select();
  }

  // Shows what is new in it.
  read() {
    if (!this.open) this.toggle();
    this.find.value = "";
    this.narrow();
    this.text.scrollTop = 0;
    this.text.focus({ preventScroll: true });
  }

  // What is looked for stays, with its words marked.
  narrow() {
    const wanted = this.find.value.trim();
    const found = this.clauses.filter((each) => each.narrow(wanted));
    this.none.hidden = found.length > 0;
    if (this.news) this.news.hidden = Boolean(wanted);
    if (this.bookTitle) this.bookTitle.hidden = !found.some((each) => each.ofBook);
    if (!wanted) this.followed = null;
  }

  // Goes to the clause of these names, the best first; once, since then the person scrolls.
  follow(names) {
    const now = JSON.stringify(names);
    if (!this.open || this.find.value.trim() || now === this.followed) return;
    this.followed = now;
    const clause = clauseOf(this.clauses, names.filter(Boolean).map(foldedName));
    this.clauses.forEach((each) => each.mark(each === clause));
    if (clause) reveal(this.text, clause.root, 8);
  }

  paint(names) {
    this.viewer.head.root.querySelector("[data-testid=open-guideline]")?.setAttribute("aria-expanded", String(this.open));
    this.follow(names);
  }
}

// A block of the guideline: {kind, number, pieces: [[text, strong]]}, or an entry of the codebook.
class Clause {
  constructor({ kind, number, pieces }, ofBook = false) {
    Object.assign(this, { pieces, ofBook });
    const tag = { title: "h3", heading: "h4" }[kind] || "p";
    this.root = element(tag, { class: kind, "data-number": number === "•" ? "•" : `${number}.` });
    const named = kind === "heading" ? pieces : pieces.filter(([, strong]) => strong);
    this.names = named.map(([text]) => foldedName(text));
    this.point = kind === "point" || ofBook;
    this.text = foldedName(pieces.map(([text]) => text).join(""));
  }

  narrow(wanted) {
    const draw = ([text, strong]) => (strong ? element("strong", {}, markedIn(text, wanted)) : markedIn(text, wanted));
    this.root.replaceChildren(...this.pieces.flatMap(draw));
    this.root.hidden = Boolean(wanted) && !this.pieces.some(([text]) => text.toLowerCase().includes(wanted.toLowerCase()));
    return !this.root.hidden;
  }

  mark(on) {
    this.root.classList.toggle("at", on);
    markCurrent(this.root, on);
  }
}

// What the codebook says of each option, or of what the task asks of the item.
function codebookOf(viewer) {
  const entries = viewer.codebook() || viewer.guideline.options;
  return entries.map(([name, text]) => new Clause({ kind: "paragraph", number: "", pieces: [[name, true], [` ${text}`, false]] }, true));
}

const foldedName = (text) => text.normalize("NFC").toLowerCase().replace(/[\s?.,:;!"“”‘’'()]+/g, " ").trim();

// How much of the name's words stands in the other.
function sharedWords(other, name) {
  const [theirs, own] = [other.split(" "), name.split(" ")];
  return own.filter((word) => theirs.includes(word)).length / own.length;
}

// A clause that is called so, else one whose name begins or ends so or has most of its words, else a
// point that speaks of it.
function clauseOf(clauses, names) {
  const ways = [
    (clause, name) => clause.names.includes(name),
    (clause, name) => clause.names.some((each) => each.startsWith(name) || each.endsWith(name) || (each.length > 2 && name.startsWith(each))),
    (clause, name) => clause.names.some((each) => sharedWords(each, name) > 0.5),
    (clause, name) => clause.point && clause.text.includes(name),
  ];
  for (const way of ways) {
    for (const name of names) {
      const found = clauses.find((clause) => way(clause, name));
      if (found) return found;
    }
  }
  return null;
}

// The text with what is looked for marked.
function markedIn(text, wanted) {
  if (!wanted) return [text];
  const parts = text.split(new RegExp(`(${wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")})`, "iu"));
  return parts.map((part, index) => (index % 2 ? element("mark", {}, part) : part));
}
