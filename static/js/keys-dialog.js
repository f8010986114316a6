// <keys-dialog> inside <keyboard-shortcuts>: lists the keys, changes one, switches all off (WCAG 2.1.4).

class KeysDialog extends HTMLElement {
  connectedCallback() {
    const find = (what) => this.querySelector(`[data-keys-${what}]`);
    this.dialog = find("dialog");
    find("open").hidden = false;
    find("open").addEventListener("click", (event) => this.open(event));
    find("close").addEventListener("click", () => this.dialog.close());
    find("on").addEventListener("change", (event) => this.keyboard.keep({ off: !event.target.checked }));
    find("reset").addEventListener("click", () => {
      this.keyboard.keep({ off: false, map: {} });
      this.list();
    });
  }

  get keyboard() {
    return this.closest("keyboard-shortcuts");
  }

  open(event) {
    event.preventDefault();
    this.list();
    this.dialog.showModal();
    this.dialog.querySelector("h2").focus();
  }

  list() {
    this.dialog.querySelector("[data-keys-on]").checked = !this.keyboard.settings.off;
    const rows = this.keyboard.controls.map((control) => this.row(control));
    this.dialog.querySelector("[data-keys-list]").replaceChildren(...rows);
  }

  row(control) {
    const row = Object.assign(document.createElement("label"), { className: "keys-row" });
    const source = control.closest("label")?.querySelector("b") ?? control;
    const words = control.dataset.keyLabel ?? source.textContent;
    const value = this.keyboard.nameOf(this.keyboard.keyOf(control));
    const box = Object.assign(document.createElement("input"), { value, readOnly: true });
    box.addEventListener("keydown", (event) => this.change(event, control, box));
    row.append(Object.assign(document.createElement("span"), { textContent: words.trim() }), box);
    return row;
  }

  change(event, control, box) {
    if (["Tab", "Escape", "Shift"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const key = event.key.toLowerCase();
    const message = this.dialog.querySelector("[data-keys-message]");
    const others = this.keyboard.controls.filter((one) => one !== control);
    const taken = key === "?" || others.some((one) => this.keyboard.keyOf(one) === key);
    message.textContent = taken ? message.dataset.taken : "";
    if (taken) return;
    this.keyboard.keep({ map: { ...this.keyboard.settings.map, [control.dataset.key.toLowerCase()]: key } });
    box.value = this.keyboard.nameOf(key);
  }
}

customElements.define("keys-dialog", KeysDialog);
