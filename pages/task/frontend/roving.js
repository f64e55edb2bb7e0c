// Tabbing goes through a group of buttons by one stop: the one that had the focus last, else one of
// what is asked now, what is chosen or can be, else the first. The arrows go from one to the next within the group.

const GROUPS = ".roves, .step, .ask, .passage, [role=radiogroup]";
const MEMBERS = "button:not(.onward), a[href], summary";

class Roving {
  constructor(root) {
    this.root = root;
    this.stops = new WeakMap(); // by group: the one that Tab goes to
    this.ours = new WeakSet(); // whose tabindex is set here; others are no stop on purpose
    root.addEventListener("focusin", (event) => this.hold(event.target));
    root.addEventListener("keydown", (event) => this.key(event));
  }

  settle() {
    for (const group of this.root.querySelectorAll(GROUPS)) {
      if (!group.closest("dialog") && !group.parentElement.closest(GROUPS)) this.place(group);
    }
  }

  place(group) {
    const members = this.members(group);
    const stop = this.stop(group, members);
    for (const each of members) {
      const index = each === stop ? 0 : -1;
      if (each.tabIndex !== index) each.tabIndex = index;
      this.ours.add(each);
    }
  }

  members(group) {
    const free = (each) => !each.disabled && !each.closest("[hidden]") && (this.ours.has(each) || each.getAttribute("tabindex") !== "-1");
    return [...group.querySelectorAll(MEMBERS)].filter(free);
  }

  stop(group, members) {
    const held = members.includes(this.stops.get(group)) ? this.stops.get(group) : null;
    const asked = members.filter((each) => each.closest(".ask.active"));
    if (held && (!asked.length || asked.includes(held) || held.matches(":focus"))) return held;
    const among = asked.length ? asked : members;
    const best = ["[aria-checked=true], [aria-pressed=true]", "[aria-checked], [aria-pressed]", "*"];
    return best.map((wanted) => among.find((each) => each.matches(wanted))).find(Boolean);
  }

  groupOf(target) {
    let group = target instanceof Element ? target.closest(GROUPS) : null;
    while (group?.parentElement?.closest(GROUPS)) group = group.parentElement.closest(GROUPS);
    return group;
  }

  hold(target) {
    const group = this.groupOf(target);
    if (!group || !this.members(group).includes(target)) return;
    this.stops.set(group, target);
    this.place(group);
  }

  key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 };
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const group = this.groupOf(event.target);
    const members = group ? this.members(group) : [];
    const at = members.indexOf(event.target);
    if (at < 0) return;
    event.preventDefault();
    members[(at + steps[event.key] + members.length) % members.length].focus();
  }
}
