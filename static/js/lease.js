// <lease-clock until seconds extend-url>: until when a post is held for this person. Activity prolongs it, at most
// one request a minute; two minutes before the end it warns. It counts seconds itself: a device's clock may be wrong.

import { clock } from "./clock.js";

const SOON = 120;
const MINUTE = 60_000;
const ACTIVITY = ["pointerdown", "keydown", "input", "scroll"];

class LeaseClock extends HTMLElement {
  connectedCallback() {
    this.active = () => { this.wasActive = true; };
    for (const name of ACTIVITY) document.addEventListener(name, this.active, { capture: true, passive: true });
    this.hold(this.getAttribute("until"), Number(this.getAttribute("seconds")));
    this.askedAt = Date.now();
    this.timer = setInterval(() => this.tick(), 1000);
    this.tick();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    for (const name of ACTIVITY) document.removeEventListener(name, this.active, { capture: true });
  }

  hold(until, seconds) {
    this.until = new Date(until);
    this.endsAt = Date.now() + seconds * 1000;
    this.state = "";
  }

  tick() {
    const left = (this.endsAt - Date.now()) / 1000;
    this.show(left <= 0 ? "ended" : left < SOON ? "soon" : "held");
    if (this.wasActive && Date.now() - this.askedAt >= MINUTE) this.extend();
    else if (this.wasActive && this.state === "soon" && Date.now() - this.askedAt >= MINUTE / 4) this.extend();
  }

  show(state) {
    if (state === this.state) return;
    const time = clock(this.until);
    this.state = state;
    this.dataset.state = state;
    this.textContent = this.dataset[`text${state[0].toUpperCase()}${state.slice(1)}`].replace("{time}", time);
    if (state !== "held") document.dispatchEvent(new CustomEvent("juryroom:say", { detail: this.textContent }));
  }

  async extend() {
    const url = this.getAttribute("extend-url");
    this.wasActive = false;
    this.askedAt = Date.now();
    if (!url) return;
    const token = document.querySelector("[name='csrfmiddlewaretoken']")?.value ?? "";
    try {
      const response = await fetch(url, { method: "POST", headers: { "X-CSRFToken": token } });
      if (response.ok && !response.redirected) {
        const lease = await response.json();
        this.hold(lease.until, lease.seconds);
      } else if (response.status >= 400 && response.status < 500) {
        this.endsAt = Date.now();
      }
    } catch {
      this.wasActive = true; // No network: ask again in a minute.
    }
    this.tick();
  }
}

customElements.define("lease-clock", LeaseClock);
