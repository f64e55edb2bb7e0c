// The claims of the answer, one in hand: what is asked of it, and what a model says of it where that
// may be seen. The others tell in a line what was answered.

const CRITERIA = ["label", "gold", "supported"];
const LABELS = ["match", "partial", "none"];
const SUPPORT = ["yes", "partly", "no", "uncited"];

// Nothing can support a claim beside which no provision stands.
function supportOf(claim) {
  return claim.cited.length ? SUPPORT : ["uncited"];
}

function fieldOf(criterion, claim) {
  return `${criterion}_${claim}`;
}

function placeOf(field) {
  const at = field.lastIndexOf("_");
  return [field.slice(0, at), Number(field.slice(at + 1))];
}

// What is asked of a claim: no gold claim where none matches.
function askedOf(answers, claim) {
  const label = answers[fieldOf("label", claim)];
  return CRITERIA.filter((each) => each !== "gold" || label === "match" || label === "partial").map((each) => fieldOf(each, claim));
}

function missingIn(answers, claims) {
  for (let claim = 1; claim <= claims; claim += 1) {
    const field = askedOf(answers, claim).find((each) => answers[each] === undefined);
    if (field) return field;
  }
  return null;
}

class ClaimCard {
  constructor(viewer, claim, number) {
    this.viewer = viewer;
    this.number = number;
    const { words, fixed } = viewer;
    const worded = (values) => values.map((value) => [value, words[`option_${value}`], viewer.guideline.meanings[value]]);
    const gold = fixed.gold.map((text, at) => [at + 1, text, null]);
    const made = { label: worded(LABELS), gold, supported: worded(supportOf(claim)) };
    this.asks = new Map(CRITERIA.map((each) => [each, new Ask(viewer, fieldOf(each, number), made[each], words[`ask_${each}`])]));
    this.asks.get("gold").root.classList.add("many", "gold-claims");
    this.summary = element("p", { class: "told", "data-testid": `said-${number}` });
    this.model = element("p", { class: "model", "data-testid": `suggested-${number}` });
    this.body = element("div", { class: "body" }, CRITERIA.map((each) => this.asks.get(each).root));
    this.root = element(
      "section",
      { class: "step claim", "data-testid": `claim-${number}`, onclick: () => viewer.open(number) },
      element("header", {}, element("span", { class: "number" }, String(number)), element("p", { class: "claim-text", dir: "auto", lang: fixed.language }, claim.text)),
      this.summary,
      this.body,
      this.model,
    );
  }

  paint(shown, active, closed) {
    const { answers } = shown;
    const open = placeOf(active)[1] === this.number;
    const label = answers[fieldOf("label", this.number)];
    this.root.classList.toggle("open", open);
    this.root.classList.toggle("done", askedOf(answers, this.number).every((each) => answers[each] !== undefined));
    this.body.hidden = !open;
    this.summary.hidden = open;
    this.summary.textContent = open ? "" : this.said(answers);
    this.asks.forEach((ask, criterion) => {
      const field = fieldOf(criterion, this.number);
      const idle = criterion === "gold" && label !== "match" && label !== "partial";
      ask.root.classList.toggle("idle", idle);
      ask.root.classList.toggle("chosen", !idle && answers[field] !== undefined);
      ask.paint(shown, field === active && !closed, closed || idle);
    });
    this.paintModel(shown, open, closed);
  }

  paintModel({ answers }, open, closed) {
    const { viewer, number } = this;
    const { words, fixed } = viewer;
    const told = viewer.moving.suggested?.[number];
    const later = !told && open && fixed.suggestions === "after" && fixed.suggestedAtAll && !closed;
    const differs = told && CRITERIA.some((each) => (told[each] ?? null) !== null && answers[fieldOf(each, number)] !== told[each]);
    const now = JSON.stringify([told || null, later, differs, open, closed]);
    if (this.drawn === now) return;
    this.drawn = now;
    this.model.hidden = !told && !later;
    this.model.classList.toggle("differs", Boolean(differs));
    const take = told && open && differs && !closed ? this.take() : null;
    const said = told ? [element("span", { class: "quiet" }, words.model_says), element("strong", {}, this.worded(told))] : [];
    this.model.replaceChildren(...(later ? [element("span", { class: "quiet" }, words.model_later)] : [...said, ...(take ? [take] : [])]));
  }

  take() {
    const { viewer, number } = this;
    const run = (event) => { event.stopPropagation(); viewer.takeSuggestion(number); };
    return element("button", { type: "button", class: "plain", "data-testid": "take-suggestion", onclick: run }, viewer.words.model_take, keyCap(capOf("accept")));
  }

  // What was answered of the claim, in a line.
  said(answers) {
    return this.worded(Object.fromEntries(CRITERIA.map((each) => [each, answers[fieldOf(each, this.number)]])));
  }

  worded({ label, gold, supported }) {
    const { words } = this.viewer;
    const parts = [
      label ? words[`option_${label}`] : null,
      gold && label !== "none" ? fill(words.gold_number, { number: gold }) : null,
      supported ? `${words.supported_short} ${words[`option_${supported}`]}` : null,
    ];
    return parts.filter(Boolean).join(" · ");
  }
}
