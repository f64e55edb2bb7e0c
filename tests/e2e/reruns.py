"""When the app in a browser is at rest: every rerun that was asked for has been drawn.

Streamlit marks the page as running only when the server says so, so straight after a click the mark
still tells of the run before. What counts is therefore what the browser asked and was told: each
request to run again goes to the server in a message, and the run that answers it begins with a
message and ends with one.
"""

# The first byte of a BackMsg that holds rerun_script, and the fields of a ForwardMsg that tell of
# a run: new_session, and script_finished with the status of a run that gives way to another.
WATCH = """
(() => {
  const [ASKS, BEGINS, ENDS, GIVES_WAY] = [0x5a, 4, 6, 2];
  let state = "asked"; // a page begins with a run
  const CALM = 6; // frames

  function* fields(bytes) { // the number of each field, and its value where that is a number
    let at = 0;
    const number = () => {
      let [value, scale] = [0, 1];
      for (; at < bytes.length; scale *= 128) {
        const byte = bytes[at++];
        value += (byte & 127) * scale;
        if (byte < 128) break;
      }
      return value;
    };
    while (at < bytes.length) {
      const tag = number();
      const value = number();
      if (tag % 8 === 2) at += value;
      yield [Math.floor(tag / 8), value];
    }
  }

  function hear(event) {
    if (!(event.data instanceof ArrayBuffer)) return;
    for (const [field, value] of fields(new Uint8Array(event.data))) {
      if (field === BEGINS && state === "asked") state = "begun";
      if (field === ENDS && value !== GIVES_WAY && state === "begun") state = "ended";
    }
  }

  window.WebSocket = class extends WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", hear);
    }
    send(data) {
      if (data[0] === ASKS) state = "asked";
      super.send(data);
    }
  };

  function isDrawn() {
    const app = document.querySelector("[data-testid=stApp]");
    return state === "ended" && app?.dataset.testScriptState === "notRunning";
  }

  // A tab behind another has a frame a second.
  function nextFrame(then) {
    let done = false;
    const once = () => {
      if (!done) then();
      done = true;
    };
    requestAnimationFrame(once);
    setTimeout(once, 40);
  }

  // A click asks a moment later, and what was told is drawn a moment later.
  window.atRest = () => new Promise((rested) => {
    let frames = 0;
    const look = () => {
      frames = isDrawn() ? frames + 1 : 0;
      if (frames > CALM) rested(true);
      else nextFrame(look);
    };
    look();
  });

  // Whether the server has acknowledged what was done to the open task, and keys are heard on it.
  let home = null; // the root in which its viewer stands
  function isSaved() {
    if (!home?.host.isConnected) {
      home = [...document.querySelectorAll("*")].map((each) => each.shadowRoot)
        .find((root) => root?.querySelector("[data-save]"));
    }
    const viewer = home?.querySelector("[data-save]");
    return viewer?.dataset.save === "saved" && !home.querySelector("[data-resting]");
  }

  window.saved = () => new Promise((done) => {
    const look = () => {
      if (isSaved()) done(true);
      else nextFrame(look);
    };
    look();
  });
})();
"""
