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
