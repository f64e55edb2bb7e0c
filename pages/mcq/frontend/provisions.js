// The left side: the first provision, and the second once the server has told it.

function provisionPane(name, told, viewer) {
  const { words } = viewer;
  const title = element(
    "header",
    {},
    element("span", { class: "letter", "aria-hidden": "true" }, words[`letter_${name}`]),
    element("h2", { class: "eyebrow" }, words[`provision_${name}`]),
    element("h3", { class: "place" }, told.head),
  );
  const text = statuteFold([[told.text, 0]], { ...viewer.folding(`law-${name}`), aim: null });
  const law = element("div", { class: "law", tabindex: "0" }, text.nodes);
  return element(
    "section",
    { class: `provision ${name}`, "aria-label": `${words[`provision_${name}`]}: ${told.head}`, "data-testid": `provision-${name}` },
    title,
    law,
  );
}

// What stands where the second provision will.
function curtain({ words }) {
  return element("section", { class: "provision curtain", "data-testid": "curtain" }, element("p", {}, words.curtain));
}

function provisions(viewer) {
  const { a, b } = viewer.fixed;
  return element(
    "div",
    { class: "provisions", lang: viewer.fixed.language },
    provisionPane("a", a, viewer),
    b ? provisionPane("b", b, viewer) : curtain(viewer),
  );
}
