// What models answered, told by the server once the item is submitted: a row for each model, a
// column for each setting, the option of each repeat in a cell.

const SETTINGS = ["zero", "a", "b", "ab"];

function votesPane(viewer) {
  const { words, fixed } = viewer;
  const { votes } = fixed;
  if (!votes) return null;
  const title = element("h2", { class: "eyebrow" }, words.votes);
  const body = votes.length ? votesTable(viewer, votes) : element("p", { class: "quiet" }, words.votes_none);
  return element("section", { class: "votes", "data-testid": "votes" }, title, body);
}

function votesTable({ words, fixed }, votes) {
  const named = SETTINGS.map((name) => element("th", { scope: "col" }, words[`setting_${name}`]));
  const rows = votes.map(({ model, said }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, model),
      SETTINGS.map((name) => element("td", {}, (said[name] || []).map((choice) => voted(words, choice, fixed.stored)))),
    ),
  );
  return element("table", {}, element("thead", {}, element("tr", {}, element("td", {}), named)), element("tbody", {}, rows));
}

// A model's choice: an option's number, or the name of what a reply without one came to.
function voted(words, choice, stored) {
  if (typeof choice === "string") return element("span", { class: "vote missing" }, words[`vote_${choice}`]);
  const right = choice === stored;
  const label = `${fill(words.option_of, { number: choice + 1 })}, ${words[right ? "vote_stored" : "vote_other"]}`;
  return element("span", { class: `vote ${right ? "right" : ""}`, title: label, "aria-label": label }, String(choice + 1));
}
