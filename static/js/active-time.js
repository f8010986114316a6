// <active-time>: counts the seconds somebody really spent here into the hidden input inside it: page visible and
// something done within the last minute. A sleeping laptop makes a long gap between two ticks and does not count.

const TICK = 1000;
const LONGEST = 3 * TICK;
const IDLE = 60_000;
const ACTIVITY = ["pointerdown", "pointermove", "keydown", "scroll", "wheel", "touchstart"];

class ActiveTime extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.spent = Number(this.input.value) * 1000 || 0;
    this.lastTick = performance.now();
    this.lastActivity = this.lastTick;
    this.active = () => { this.lastActivity = performance.now(); };
    for (const name of ACTIVITY) document.addEventListener(name, this.active, { capture: true, passive: true });
    this.restored = () => { this.spent = Math.max(this.spent, Number(this.input.value) * 1000 || 0); };
    this.input.form?.addEventListener("change", this.restored);
    this.timer = setInterval(() => this.tick(), TICK);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    this.input.form?.removeEventListener("change", this.restored);
    for (const name of ACTIVITY) document.removeEventListener(name, this.active, { capture: true });
  }

  tick() {
    const now = performance.now();
    const gap = now - this.lastTick;
    this.lastTick = now;
    const here = document.visibilityState === "visible" && now - this.lastActivity < IDLE && gap < LONGEST;
    if (here) this.spent += gap;
    this.input.value = Math.round(this.spent / 1000);
  }
}

customElements.define("active-time", ActiveTime);
