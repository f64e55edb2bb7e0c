// What the shapes, colours and dashes of a map mean; and the frame below it gets what its own page
// lacks: a name for screen readers, and a background that lets the theme's through.

const MARKS = {
  dot: "M8 2a6 6 0 1 0 .01 0Z",
  square: "M2.5 2.5h11v11h-11Z",
  triangle: "M8 1.5 15 13.5H1Z",
  diamond: "M8 1 15 8 8 15 1 8Z",
  star: "M8 1l2.1 4.6 5 .6-3.7 3.4 1 5L8 12.1l-4.4 2.5 1-5L.9 6.2l5-.6Z",
};

const mapMark = (attributes, viewBox) => shape("svg", { viewBox, "aria-hidden": "true" }, shape("path", attributes));

function mapEntries(name, entries, drawMark) {
  const items = entries.map((each) => element("li", {}, drawMark(each), each.name));
  return items.length ? element("ul", { "aria-label": name }, items) : null;
}

function dressFrame(told) {
  for (const frame of document.querySelectorAll(`iframe[title="${told.frame}"], iframe[data-map]`)) {
    frame.dataset.map = "";
    frame.title = told.name;
    const dress = () => {
      const body = frame.contentDocument?.body;
      if (body) body.style.background = "transparent";
    };
    dress();
    frame.addEventListener("load", dress, { once: true });
  }
}

export default function mapLegend({ data, parentElement }) {
  const legend = element("div", { class: "map-legend", "data-testid": "map-legend" },
    mapEntries(data.words.tiers, data.tiers, ({ colour, shape: form }) =>
      mapMark({ d: MARKS[form], fill: colour, stroke: "currentColor" }, "0 0 16 16")),
    mapEntries(data.words.types, data.types, ({ colour, dash }) =>
      mapMark({ d: "M1 8H39", fill: "none", stroke: colour, "stroke-width": 2.5, "stroke-dasharray": dash.join(" ") }, "0 0 40 16")),
  );
  const before = parentElement.querySelector(".map-legend");
  if (before) before.replaceWith(legend);
  else parentElement.append(legend);
  dressFrame(data);
  // The frame comes when it has loaded, and anew when another map is drawn.
  const watch = new MutationObserver(() => dressFrame(data));
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}
