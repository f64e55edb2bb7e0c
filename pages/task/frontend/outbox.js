// Acts on their way to the server. Each has a number; all that are not acknowledged are sent again
// with every new one, because a newer message may replace an older one on the way. One that takes the
// server long says for how many milliseconds to have `patience`.

const RESEND_MS = 2000;

class Outbox {
  // `send(acts, tries)` hands acts to the server, `changed()` repaints, `failed(act, why)` tells, and
  // `taken(act)` hears of those that the server has.
  // `tries` counts how often the server has left the same acts without an answer.
  constructor(send, changed, failed, taken) {
    this.client = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    Object.assign(this, { send, changed, failed, taken, seq: 0, pending: [], timer: null, tries: 0 });
  }

  push(act) {
    this.seq += 1;
    this.pending.push({ ...act, seq: this.seq });
    this.flush();
    this.changed();
    return this.seq;
  }

  // A newer act of this kind makes unacknowledged older ones pointless (searching while typing).
  replace(act) {
    this.pending = this.pending.filter((each) => each.kind !== act.kind);
    return this.push(act);
  }

  flush() {
    clearTimeout(this.timer);
    if (!this.pending.length) return;
    this.send(this.pending, this.tries);
    this.timer = setTimeout(() => {
      this.tries += 1;
      this.flush();
      this.changed();
    }, Math.max(RESEND_MS, ...this.pending.map((act) => act.patience || 0)));
  }

  acknowledge(answer) {
    if (!answer || answer.client !== this.client) return;
    this.tries = 0;
    const wrong = new Map(answer.failed.map((each) => [each.seq, each]));
    const done = this.pending.filter((act) => act.seq <= answer.seq);
    this.pending = this.pending.filter((act) => act.seq > answer.seq);
    if (!this.pending.length) clearTimeout(this.timer);
    for (const act of done) {
      const why = wrong.get(act.seq);
      if (why) this.failed(act, why);
      else this.taken(act);
    }
  }

  // Forget what is on its way: somebody else sits here now.
  drop() {
    this.pending = [];
    clearTimeout(this.timer);
  }

  has(test) {
    return this.pending.some(test);
  }
}
