// The guideline beside a case: the panel of the tasks, over the edge of the page, which makes room for it.

class CaseGuide extends GuidePane {
  // The panel for what the app told last: the one that is there, unless it says something else.
  static of(viewer, task) {
    const { guide: before, guideline } = viewer;
    const holds = JSON.stringify([task, guideline, viewer.words.guideline]);
    if (before?.holds === holds) return before;
    const same = before && before.task === task;
    const made = new CaseGuide(viewer, same ? before : null);
    Object.assign(made, { holds, task });
    before?.destroy();
    viewer.root.append(made.root);
    made.before = null;
    made.watch();
    return made;
  }

  watch() {
    this.around = new ResizeObserver(() => this.fit());
    this.around.observe(document.querySelector(MAIN));
    this.fit();
  }

  destroy() {
    this.around.disconnect();
    this.root.remove();
    delete document.documentElement.dataset.caseGuide;
  }

  // The page makes room, below it where it is narrow; the sidebar stays free.
  fit() {
    const { dataset } = document.documentElement;
    if (this.open) dataset.caseGuide = "open";
    else delete dataset.caseGuide;
    const left = document.querySelector(MAIN)?.getBoundingClientRect().left || 0;
    this.root.style.setProperty("--left", `${Math.round(left)}px`);
  }

  // At the clause of the part in focus where it has one, else at the top.
  follow(names) {
    const before = this.followed;
    super.follow(names);
    if (this.followed !== before && !this.text.querySelector(".at")) this.text.scrollTop = 0;
  }

  // Its text keeps the keys that scroll it.
  scrolls(target, key) {
    return target === this.text && (key.startsWith("Arrow") || key.startsWith("Page") || key === " ");
  }
}

function guideButton(viewer) {
  const named = { "data-testid": "open-guideline", "aria-expanded": String(Boolean(viewer.guide?.open)) };
  const run = () => viewer.guide.toggle();
  return button({ ...named, onclick: run }, viewer.words.guideline, keyCap(capOf("guideline")));
}

// What the guideline may call a part: what is chosen of it or can be chosen first, what it is called, what it asks.
function clauseNames(part, { tick }) {
  const box = part.querySelector('[class*="st-key-case-tick"] input[type="checkbox"]');
  if (box) return [tick[box.checked ? 0 : 1]];
  const options = shownIn('[data-testid="stButtonGroup"] button', part);
  const chosen = options.filter(({ dataset }) => dataset.testid?.endsWith("Active"));
  const named = shownIn('strong, [data-testid="stWidgetLabel"]', part);
  const found = [...(chosen.length ? chosen : options.slice(0, 1)), ...named];
  return [...new Set(found.map(plainWords))].filter(Boolean);
}

// The words of what the page draws, without its icons and what explains it.
function plainWords(node) {
  const copy = node.cloneNode(true);
  for (const each of copy.querySelectorAll('[data-testid="stIconMaterial"], [data-testid="stTooltipIcon"], button svg')) each.remove();
  return copy.textContent.trim();
}
