// The entry: one panel per place on the page, whatever number of times the app calls.

const panels = new WeakMap();

export default function graphPanel({ data, parentElement, setTriggerValue }) {
  let held = panels.get(parentElement);
  if (!held) {
    held = { panel: new GraphPanel((wish) => held.send("act", wish)), frame: element("div", { class: "graph-frame" }) };
    held.frame.append(held.panel.root);
    parentElement.append(held.frame);
    panels.set(parentElement, held);
  }
  held.send = setTriggerValue;
  held.frame.style.height = data.height;
  const said = JSON.stringify(data.told);
  if (said !== held.said) held.panel.show(data.told);
  held.said = said;
  return () =>
    setTimeout(() => {
      if (parentElement.isConnected || panels.get(parentElement) !== held) return;
      panels.delete(parentElement);
      held.panel.destroy();
    });
}
