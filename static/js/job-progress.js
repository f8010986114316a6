// <job-progress src>: asks the server for the job's panel every second and a half until it carries data-ended, then
// loads the page anew so that everything around the panel is right too. An open confirmation is left alone.

const EVERY = 1500;
const SLOWEST = 20_000;

class JobProgress extends HTMLElement {
  connectedCallback() {
    this.wait = EVERY;
    for (const link of this.querySelectorAll("[data-job-refresh]")) link.hidden = true;
    if (!this.querySelector("[data-ended]")) this.plan();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  plan() {
    this.timer = setTimeout(() => this.ask(), this.wait);
  }

  async ask() {
    if (document.visibilityState !== "visible") return this.plan();
    try {
      const response = await fetch(this.getAttribute("src"));
      if (response.redirected) return location.reload();
      if (!response.ok) throw new TypeError(response.statusText);
      this.show(await response.text());
      this.wait = EVERY;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.wait = Math.min(this.wait * 2, SLOWEST);
    }
    if (this.querySelector("[data-ended]")) location.reload();
    else this.plan();
  }

  show(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".job");
    const panel = this.querySelector(".job");
    if (!fresh || !panel) return;
    for (const link of fresh.querySelectorAll("[data-job-refresh]")) link.hidden = true;
    const actions = panel.querySelector(".job-actions");
    const busy = actions?.contains(document.activeElement) || actions?.querySelector("details[open]");
    if (!busy || fresh.matches("[data-ended]")) return panel.replaceWith(fresh);
    fresh.querySelector(".job-actions")?.remove();
    for (const part of [...panel.children]) if (part !== actions) part.remove();
    actions.before(...fresh.children);
  }
}

customElements.define("job-progress", JobProgress);
