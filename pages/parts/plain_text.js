// Text with marks. Everything the reader sees is set through textContent: nothing in the data is
// ever read as HTML.
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".plain-text");
  root.className = `plain-text ${data.tone}`;
  root.lang = data.language;
  root.style.maxHeight = data.height ? `${data.height}px` : "";
  root.tabIndex = data.height ? 0 : -1;
  const pieces = data.spans.map((span) => {
    if (!span.marks.length) return document.createTextNode(span.text);
    const mark = document.createElement("span");
    mark.className = span.marks.join(" ");
    mark.textContent = span.text;
    return mark;
  });
  root.replaceChildren(...pieces);
  show(root, pieces, data.shown);
}

// Bring a span into view, once for each time that it is asked for: whoever scrolled on stays there.
function show(root, pieces, shown) {
  if (!shown || root.dataset.shown === shown.join()) return;
  root.dataset.shown = shown.join();
  const place = document.createRange();
  place.selectNode(pieces[shown[0]]);
  const down = place.getBoundingClientRect().top - root.getBoundingClientRect().top;
  root.scrollTop += down - root.clientHeight / 4;
}
