"""The viewer of pages on a bare page, with a server of a few lines: for tests of the keyboard."""

from __future__ import annotations

import json
from typing import Any

from pages.ocr.task_page import OCR, script
from pages.shell.bundle import joined
from pages.task.viewer import FRAME_SCRIPTS, FRAME_STYLES, ui_words

# A white page of 600 by 800.
IMAGE = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='600' height='800'%3E"
    "%3Crect width='600' height='800' fill='white'/%3E%3C/svg%3E"
)
COLOURS = ":root { --st-primary-color: #2b5b84; --st-background-color: #fff; }"
SERVER = """
window.acts = []; window.refuse = ""; window.busy = false;
const said = [];
let elsewhere = 0; // what another window said last
window.another = (value) => { elsewhere = said.push(["blocks", value]); };
let [status, client, seq, comment, flag] = ["draft", "", 0, "", ""];
const answers = () => {
  const now = {};
  for (const [field, value] of said) now[field] = value;
  return now;
};
const moving = () => ({
  item: 1, position: 1, total: 2, done: 0, status, comment, flag, canUndo: said.length > 0,
  outrun: false, begunUnder: ["", ""], again: null, confidence: null, messages: 0,
  revision: String(said.length), answers: answers(), lastLeft: null,
});
const viewer = new OcrViewer(document.getElementById("root"));
window.viewer = viewer;
const tell = (more) => viewer.receive(
  { person: 1, key: "k", moving: JSON.parse(JSON.stringify(moving())), ...more }, send,
);
function send(_name, message) {
  setTimeout(() => {
    const more = {};
    const failed = [];
    if (message.client !== client) [client, seq] = [message.client, 0];
    for (const act of message.acts.filter((each) => each.seq > seq)) {
      seq = act.seq;
      window.acts.push(act);
      if (window.refuse) failed.push({ seq, message: window.refuse, code: "" });
      else if (failed.length) failed.push({ ...failed[0], seq }); // nothing overtakes what failed
      else if (act.kind === "answer" && Number(act.revision) < elsewhere)
        failed.push({ seq, message: "Changed.", code: "draft_changed" });
      else if (act.kind === "answer") said.push([act.field, act.value]);
      else if (act.kind === "undo") said.pop();
      else if (act.kind === "comment") comment = act.text;
      else if (act.kind === "flag") flag = act.reason;
      else if (act.kind === "submit") status = "submitted";
      else if (act.kind === "region") more.region = { blocks: window.read };
    }
    tell({ ack: { client, seq, failed }, ...more });
  }, 20);
}
tell({ fixed, words, guideline, ack: { client: "", seq: 0, failed: [] } });
"""


def bench(blocks: list[dict[str, Any]], **more: Any) -> str:
    """Return a page that shows these blocks of a draft; `more` is told of the item besides."""
    draft = [{**block, "from": number} for number, block in enumerate(blocks)]
    fixed = {
        "id": 1,
        "externalId": "page-1",
        "image": {"src": IMAGE, "width": 600, "height": 800},
        "blocks": draft,
        "bases": [{"name": "draft", "blocks": draft}],
        "places": [],
        "compare": False,
        "verifying": False,
        "source": "",
        "canRead": True,
        "problem": "",
        **more,
    }
    guideline = {"version": "1-a", "blocks": [], "changes": [], "meanings": {}, "options": []}
    words = ui_words("ocr", "en", *(("ocr_verification",) if fixed["verifying"] else ()))
    told = {"fixed": fixed, "words": words, "guideline": guideline}
    constants = "".join(f"const {name} = {json.dumps(value)};" for name, value in told.items())
    own = tuple(name for name in OCR.scripts if name != "ocr/frontend/mount")
    parts = (script(), joined(FRAME_SCRIPTS, "js"), joined(own, "js"), constants + SERVER)
    code = "".join(f"<script>{part}</script>" for part in parts)
    style = f"<style>{COLOURS}{joined(FRAME_STYLES + OCR.styles, 'css')}</style>"
    return f"<!doctype html><meta charset=utf-8>{style}<div id=root></div>{code}"
