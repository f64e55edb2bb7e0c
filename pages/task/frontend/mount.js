// One viewer per place on the page, whatever number of times the app calls.

const viewers = new WeakMap();

// Returns the entry of a front-end part whose viewer `make(parent, data)` makes.
function mounted(make) {
  return ({ data, parentElement, setTriggerValue }) => {
    let viewer = viewers.get(parentElement);
    if (!viewer) {
      viewer = make(parentElement, data);
      viewers.set(parentElement, viewer);
    }
    viewer.receive(data, setTriggerValue);
    // The app may call this cleanup for a superseded call while the viewer stays on the page.
    return () =>
      setTimeout(() => {
        if (parentElement.isConnected || viewers.get(parentElement) !== viewer) return;
        viewers.delete(parentElement);
        viewer.destroy();
      });
  };
}

// The entry of a part that is told what to show, and asks for what the reader wants:
// `make(ask)` makes {root, show(told), destroy()}.
function showing(make) {
  return mounted((parent) => {
    let [send, said] = [null, null];
    const part = make((wish) => send("act", wish));
    parent.append(part.root);
    return {
      receive({ told, height }, now) {
        send = now;
        part.root.style.height = height;
        const text = JSON.stringify(told);
        if (text !== said) part.show(told);
        said = text;
      },
      destroy: () => part.destroy?.(),
    };
  });
}
