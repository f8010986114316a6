// <job-progress src>: asks the server for what it holds every second and a half until that carries data-ended. A job's
// panel (.job) then loads the page anew, so that everything around it is right too; the list (.jobs) just stays. Where
// somebody is about to confirm something or fills in a form, nothing is taken from under their hands.

const EVERY = 1500;
const SLOWEST = 6000;

const isBusy = (part) => part.contains(document.activeElement) || part.querySelector("details.confirm[open]");
const isChanged = (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked;
const isFilledIn = () => [...document.querySelectorAll("input:not([type=hidden]), textarea")].some(isChanged);

class JobProgress extends HTMLElement {
  connectedCallback() {
    this.wait = EVERY;
    this.hideLinks(this);
    if (!this.querySelector("[data-ended]")) this.plan();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  hideLinks(part) {
    for (const link of part.querySelectorAll("[data-job-refresh]")) link.hidden = true;
  }

  // Where a form is being filled in, the link that loads the page anew comes back instead.
  loadAnew() {
    if (!isFilledIn()) return location.reload();
    for (const link of this.querySelectorAll("[data-job-refresh]")) link.hidden = false;
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
      if (!this.show(await response.text())) return this.loadAnew();
      this.wait = EVERY;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.wait = Math.min(this.wait * 2, SLOWEST);
    }
    const ended = this.querySelector("[data-ended]");
    if (!ended) this.plan();
    else if (ended.matches(".job")) this.loadAnew();
  }

  show(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").querySelector(".job, .jobs");
    const panel = this.querySelector(".job, .jobs");
    if (!fresh || !panel) return false;
    this.hideLinks(fresh);
    for (const open of panel.querySelectorAll("details.job-parts[open]")) {
      fresh.querySelector(`#${open.id}`)?.setAttribute("open", "");
    }
    if (panel.matches(".jobs")) this.showRows(panel, fresh);
    else this.showJob(panel, fresh);
    return true;
  }

  showRows(panel, fresh) {
    if (!isBusy(panel)) return panel.replaceWith(fresh);
    for (const row of panel.querySelectorAll("tr[id]")) {
      const newer = fresh.querySelector(`#${row.id}`);
      if (newer && !isBusy(row)) row.replaceWith(newer);
    }
  }

  showJob(panel, fresh) {
    const actions = panel.querySelector(".job-actions");
    if (!actions || !isBusy(actions) || fresh.matches("[data-ended]")) return panel.replaceWith(fresh);
    fresh.querySelector(".job-actions")?.remove();
    for (const part of [...panel.children]) if (part !== actions) part.remove();
    actions.before(...fresh.children);
  }
}

customElements.define("job-progress", JobProgress);
