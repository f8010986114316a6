// <keyboard-shortcuts>: a control with data-key="1" is pressed by that key. Silent while typing, in a dialog or
// with a modifier; each key can be changed, all can be switched off (<keys-dialog>). Enter leaves links and buttons alone.

const STORE = "juryroom.keys";
const TYPING = "input:not([type='radio'], [type='checkbox'], [type='button'], [type='submit']), textarea, select, [contenteditable]";

function readSettings() {
  try {
    return { off: false, map: {}, ...JSON.parse(localStorage.getItem(STORE)) };
  } catch {
    return { off: false, map: {} };
  }
}

class KeyboardShortcuts extends HTMLElement {
  connectedCallback() {
    this.settings = readSettings();
    this.listen = (event) => this.press(event);
    document.addEventListener("keydown", this.listen);
    this.showHints();
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.listen);
  }

  get controls() {
    return [...this.querySelectorAll("[data-key]")];
  }

  keyOf(control) {
    const delivered = control.dataset.key;
    return (this.settings.map[delivered.toLowerCase()] ?? delivered).toLowerCase();
  }

  nameOf(key) {
    return key[0].toUpperCase() + key.slice(1);
  }

  press(event) {
    if (event.defaultPrevented || event.isComposing || event.repeat || event.altKey) return;
    if (event.ctrlKey || event.metaKey) return this.pressWithControl(event);
    if (this.settings.off && event.key !== "?") return;
    if (event.target.closest?.(TYPING) || document.querySelector("dialog[open]")) return;
    if (event.key === "?") return this.querySelector("keys-dialog")?.open(event);
    if (event.key === "Enter" && event.target.closest?.("a, button, summary")) return;
    if (event.target.closest?.("a, summary") && event.key.length > 1) return;
    const control = this.controls.find((one) => this.keyOf(one) === event.key.toLowerCase() && !one.disabled);
    if (!control) return;
    event.preventDefault();
    this.act(control);
  }

  pressWithControl(event) {
    const form = this.querySelector("form[data-submit-key='ctrl-enter']");
    if (event.key !== "Enter" || !form || this.settings.off || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    form.requestSubmit();
  }

  act(control) {
    if (control.localName === "details") {
      control.open = !control.open;
      if (control.open) control.scrollIntoView({ block: "nearest" });
    } else {
      if (control.localName === "input") control.focus();
      control.click();
    }
  }

  keep(settings) {
    this.settings = { ...this.settings, ...settings };
    try {
      localStorage.setItem(STORE, JSON.stringify(this.settings));
    } catch {
      // It still holds for this page.
    }
    this.showHints();
  }

  showHints() {
    for (const hint of this.querySelectorAll("[data-key-hint]")) {
      const key = this.settings.map[hint.dataset.keyHint.toLowerCase()] ?? hint.dataset.keyHint;
      hint.textContent = this.nameOf(key);
      hint.hidden = this.settings.off;
    }
  }
}

customElements.define("keyboard-shortcuts", KeyboardShortcuts);
