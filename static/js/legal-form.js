// <legal-form>: shows while the expert answers what follows: of each issue's tests and defences (three-valued, as
// legal/algorithms/logic.py), and of evidence and issues together (Equation 1). The server decides; this only tells.

const PASSES = "passes";
const FAILS = "fails";
const CANNOT_TELL = "cannot_tell";

function combined(rule, findings) {
  const [decisive, other] = rule === "any" ? [PASSES, FAILS] : [FAILS, PASSES];
  if (findings.includes(decisive)) return decisive;
  return findings.length && findings.every((one) => one === other) ? other : CANNOT_TELL;
}

function finding(node) {
  if (node.hasAttribute("data-leaf")) return node.querySelector("input[type='radio']:checked")?.value || CANNOT_TELL;
  const parts = [...node.children].filter((one) => one.matches("[data-leaf], [data-group]"));
  return combined(node.dataset.group, parts.map(finding));
}

class LegalForm extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.issues = [...this.querySelectorAll("[data-issue]")];
    this.form.addEventListener("input", () => this.tell());
    this.form.addEventListener("change", (event) => this.changed(event.target));
    this.prepareSearch();
    this.tell();
  }

  changed(control) {
    if (control.name === "issues" && control.checked) {
      const help = control.closest("[data-issue]").querySelector("details[data-opens]");
      if (help) help.open = true;
    }
    this.tell();
  }

  tell() {
    const raised = this.issues.filter((issue) => this.tellIssue(issue));
    this.toggleAttribute("data-raised", raised.length > 0);
    this.tellDifference(raised.length > 0);
  }

  tellIssue(issue) {
    const ticked = issue.querySelector("[name='issues']").checked;
    const [tests, defences] = ["tests", "defences"].map((kind) => {
      const group = issue.querySelector(`[data-kind='${kind}']`);
      return group ? finding(group) : CANNOT_TELL;
    });
    const against = tests === FAILS ? "tests" : defences === PASSES ? "defences" : "";
    const insists = issue.querySelector("[data-insist]").value.trim() !== "";
    const state = against ? (insists && ticked ? "insisted" : against) : tests === PASSES ? "met" : "";
    issue.toggleAttribute("data-against", ticked && against !== "");
    const line = issue.querySelector("[data-finding]");
    const words = state ? this.getAttribute(`data-${state}`) : "";
    if (line.textContent !== words) line.textContent = words;
    return ticked && (!against || insists);
  }

  tellDifference(isRaised) {
    const block = this.querySelector("[data-insists]");
    const line = block.querySelector("[data-difference]");
    const chosen = this.querySelector("[name='label']:checked");
    const given = this.querySelectorAll("[name='evidence_url'], [data-attached]");
    const hasEvidence = [...given].some((one) => one.matches("[data-attached]") || one.value.trim());
    const noClaim = this.querySelector("[name='no_claim']").checked;
    const [derived, why] = noClaim
      ? ["no", "noClaim"]
      : !hasEvidence
        ? ["unclear", "noEvidence"]
        : isRaised
          ? ["yes", "raised"]
          : ["no", "none"];
    const differs = chosen !== null && chosen.value !== derived;
    block.hidden = !differs && !block.querySelector(".field-errors");
    const word = (value) => this.querySelector(`[name='label'][value='${value}']`).dataset.word;
    line.textContent = differs
      ? line.dataset.words
          .replace("{label}", word(chosen.value))
          .replace("{why}", line.dataset[why])
          .replace("{derived}", word(derived))
      : "";
  }

  prepareSearch() {
    const block = this.querySelector("[data-issue-search]");
    const [input, status] = [block.querySelector("input"), block.querySelector("[role='status']")];
    block.hidden = false;
    input.addEventListener("input", (event) => {
      event.stopPropagation(); // It is no answer: nothing to keep, nothing to tell.
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      const shown = this.issues.filter((issue) => {
        const text = issue.textContent.toLowerCase();
        issue.hidden = !issue.querySelector("[name='issues']").checked && !words.every((word) => text.includes(word));
        return !issue.hidden;
      });
      for (const topic of this.querySelectorAll(".issue-topic")) {
        topic.hidden = !topic.querySelector("[data-issue]:not([hidden])");
      }
      status.textContent = shown.length ? "" : status.dataset.none;
    });
  }
}

customElements.define("legal-form", LegalForm);
