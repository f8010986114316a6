// <form-draft key version> (without a key it keeps nothing): keeps what was typed on this device, so that a closed tab, an ended session or a lost
// network costs nothing. It holds answers only, never a post. What the server has stored (another version) wins.
// With `draft-url` it goes to the server, too, where another device finds it; `version` then counts what was saved there.
// <draft-saved key>: the server has it; the draft goes.

import { clock } from "./clock.js";

const PREFIX = "juryroom.draft.";
const KEEP = 14 * 24 * 3600 * 1000;
const PAUSE = 5000; // Between two savings on the server.

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

class FormDraft extends HTMLElement {
  connectedCallback() {
    if (!this.hasAttribute("key")) return;
    this.form = this.querySelector("form");
    this.name = PREFIX + this.getAttribute("key");
    this.version = this.getAttribute("version") ?? "";
    this.restore();
    this.form.addEventListener("input", () => this.plan());
    this.form.addEventListener("submit", () => this.save()); // A refusal brings back what was sent, not less.
    this.url = this.getAttribute("draft-url");
    this.hide = () => (this.timer && this.save(), this.send());
    addEventListener("pagehide", this.hide);
  }

  disconnectedCallback() {
    for (const timer of [this.timer, this.sending]) clearTimeout(timer);
    this.url = null;
    removeEventListener("pagehide", this.hide);
  }

  plan() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), 400);
    this.unsent = true;
    this.sending ||= setTimeout(() => this.send(), PAUSE);
  }

  save() {
    clearTimeout(this.timer);
    this.timer = 0;
    const answers = [...new FormData(this.form)].filter(
      ([name, value]) => name !== "csrfmiddlewaretoken" && typeof value === "string",
    );
    const at = Date.now();
    try {
      localStorage.setItem(this.name, JSON.stringify({ at, version: this.version, unsent: this.unsent, answers }));
    } catch {
      return; // No storage: say nothing rather than something untrue.
    }
    this.say("kept", at);
  }

  async send() {
    clearTimeout(this.sending);
    if (!this.url || !this.unsent || this.busy || this.form.hasAttribute("data-sending")) return (this.sending = 0);
    this.busy = !(this.unsent = false);
    const body = new FormData(this.form);
    body.set("revision", this.version);
    const answer = await fetch(this.url, { method: "POST", body, keepalive: true }).catch(() => null);
    this.busy = false;
    if (answer?.ok) {
      this.version = String((await answer.json()).revision);
      if (this.isConnected && !this.form.hasAttribute("data-sending")) this.save();
    } else this.unsent = true;
    if (answer?.status === 409) this.say("refused", (this.url = null)); // Done, or gone on with in another window.
    this.sending = this.unsent && this.url ? setTimeout(() => this.send(), PAUSE) : 0;
  }

  restore() {
    const draft = read(this.name);
    if (!draft) return;
    const isNewer = draft.unsent && draft.at > Number(this.getAttribute("saved-at") || NaN) * 1000;
    if (draft.version !== this.version && !isNewer) return localStorage.removeItem(this.name);
    this.unsent = draft.unsent;
    for (const control of this.form.elements) this.fill(control, draft.answers);
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
    this.say("restored", draft.at);
  }

  fill(control, answers) {
    if (!control.name || control.type === "file" || control.localName === "button") return;
    if (control.type === "hidden" && !control.closest("active-time")) return;
    const values = answers.filter(([name]) => name === control.name).map(([, value]) => value);
    if (control.type === "radio" || control.type === "checkbox") control.checked = values.includes(control.value);
    else if (control.multiple) for (const option of control.options) option.selected = values.includes(option.value);
    else if (values.length) {
      const same = [...this.form.querySelectorAll(`[name="${CSS.escape(control.name)}"]`)];
      control.value = values[Math.min(same.indexOf(control), values.length - 1)];
    }
  }

  say(state, at) {
    const line = this.querySelector("[data-save-status]");
    if (!line || ["saving", "unsaved", "refused"].includes(line.dataset.state)) return; // Worse news stays.
    line.dataset.state = state;
    line.textContent = line.dataset[state].replace("{time}", clock(at));
  }
}

class DraftSaved extends HTMLElement {
  connectedCallback() {
    if (this.hasAttribute("key")) localStorage.removeItem(PREFIX + this.getAttribute("key"));
  }
}

for (const name of Object.keys(localStorage)) {
  if (name.startsWith(PREFIX) && Date.now() - (read(name)?.at ?? 0) > KEEP) localStorage.removeItem(name);
}
customElements.define("draft-saved", DraftSaved);
customElements.define("form-draft", FormDraft);
