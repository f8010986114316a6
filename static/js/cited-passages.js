// <cited-passages>: cites a passage of the legal library without leaving the form, and says for which issue. The
// textarea `citations` holds a line for each: number|issue|title. Without it, the buttons send the form to do the same.

class CitedPassages extends HTMLElement {
  connectedCallback() {
    this.kept = this.querySelector("[name='citations']");
    this.form = this.kept.form;
    this.choice = this.querySelector("[data-issues]");
    this.listen = (event) => this.cite(event);
    document.addEventListener("click", this.listen);
    this.form.addEventListener("change", (event) => event.target === this.form && this.show());
    this.show();
  }

  disconnectedCallback() {
    document.removeEventListener("click", this.listen);
  }

  get citations() {
    return this.kept.value
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [passage, issue, ...title] = line.split("|");
        return { passage, issue: issue ?? "", title: title.join("|") };
      });
  }

  cite(event) {
    const button = event.target.closest?.("button[name='cite']");
    if (!button || button.form !== this.form) return;
    event.preventDefault();
    const title = button.closest(".hit").querySelector(".hit-title").textContent.trim();
    const known = this.citations.some((one) => one.passage === button.value && !one.issue);
    if (!known) this.keep([...this.citations, { passage: button.value, issue: this.onlyTicked(), title }]);
    this.querySelector("[data-message]").textContent = this.dataset.cited.replace("{title}", title);
  }

  onlyTicked() {
    const ticked = this.form.querySelectorAll("[name='issues']:checked");
    return ticked.length === 1 ? ticked[0].value : "";
  }

  keep(citations) {
    const lines = citations.map(({ passage, issue, title }) => [passage, issue, title.replace(/\s+/g, " ")].join("|"));
    this.kept.value = [...new Set(lines)].join("\n");
    this.kept.dispatchEvent(new Event("input", { bubbles: true }));
    this.show();
  }

  show() {
    this.querySelector("[data-list]").replaceChildren(...this.citations.map((one, place) => this.item(one, place)));
  }

  item({ issue, title }, place) {
    const item = document.createElement("li");
    const select = this.choice.cloneNode(true);
    for (const name of ["hidden", "aria-hidden", "tabindex", "data-issues"]) select.removeAttribute(name);
    select.setAttribute("aria-label", `${this.dataset.for}: ${title}`);
    select.value = issue;
    select.addEventListener("change", () => this.change(place, { issue: select.value }));
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-quiet button-small";
    button.textContent = "×";
    button.setAttribute("aria-label", this.dataset.remove.replace("{title}", title));
    button.addEventListener("click", () => this.change(place, null));
    item.append(`${title} `, select, button);
    return item;
  }

  change(place, what) {
    const citations = this.citations;
    citations.splice(place, 1, ...(what ? [{ ...citations[place], ...what }] : []));
    this.keep(citations);
  }
}

customElements.define("cited-passages", CitedPassages);
