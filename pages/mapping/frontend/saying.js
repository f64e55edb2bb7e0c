// What the acts of citation mapping say.

class MappingFrame extends Frame {
  labels(act) {
    return act.kind === "label" || act.kind === "add";
  }

  subjectOf(act) {
    if (this.labels(act)) return `unit ${act.unit ?? act.unit_id}`;
    if (act.kind === "evidence") return `evidence ${act.unit}`;
    return act.kind === "no_provision" ? act.kind : super.subjectOf(act);
  }

  bearOn(asked, act) {
    const provisions = (each) => this.labels(each) || each.kind === "no_provision";
    const none = [asked, act].some((each) => each.kind === "no_provision");
    return super.bearOn(asked, act) || (none && provisions(asked) && provisions(act));
  }

  saidBy(act) {
    if (act.kind === "add") return "accept";
    if (act.kind === "evidence") return act.spans;
    return act.kind === "label" ? act.decision : super.saidBy(act);
  }

  saidNow(act, shown) {
    if (act.kind === "no_provision") return shown.noProvision;
    if (act.kind === "evidence") return shown.evidence[act.unit] || [];
    return this.labels(act) ? shown.decisions[act.unit] ?? null : super.saidNow(act, shown);
  }

  // A decision that came with the answer to acts on other provisions. An act that may change several
  // says nothing of whose they are.
  othersSaid(before, { moving, ack }) {
    const answered = this.outbox.pending.filter((act) => ack.client === this.outbox.client && act.seq <= ack.seq);
    if (!answered.every((act) => this.labels(act) || this.asks.has(act.kind))) return null;
    const own = new Set(answered.map((act) => act.unit));
    const other = (unit) => !own.has(unit) && before.decisions[unit] !== moving.decisions[unit];
    const units = Object.keys({ ...before.decisions, ...moving.decisions }).map(Number);
    const unit = units.find(other);
    if (unit === undefined) return null;
    const act = { kind: "label", unit };
    return { what: this.nameOf(act), now: this.saying(act, moving.decisions[unit]) };
  }

  nameOf(act) {
    return this.cardOf(act.unit ?? act.unit_id)?.candidate.label || super.nameOf(act);
  }

  saying(act, value) {
    if (act.kind === "evidence") return this.cardOf(act.unit)?.evidence?.words(value) || this.words.evidence_none;
    return this.labels(act) && value ? this.words[value] : super.saying(act, value);
  }

  // Names what stands against each other.
  tellWhy(message, act, why) {
    const named = why.code === "accept_beside_none" ? ` ${fill(this.words.accepted_are, { names: this.accepted() })}` : "";
    super.tellWhy(message + named, act, why);
  }

  accepted() {
    const { decisions } = this.shown();
    const held = this.cards.filter(({ unit }) => decisions[unit] === "accept");
    return held.map(({ candidate }) => `${candidate.statute} ${candidate.label}`).join(", ");
  }
}
