// <claim-marks>: marks claims in the post's text. Positions are code points, [start, end), as the server counts them;
// the browser counts UTF-16, so both ways are converted. The field `spans` holds "3-10,12-20".

class ClaimMarks extends HTMLElement {
  connectedCallback() {
    this.post = document.querySelector(".post-text");
    this.text = this.post.textContent;
    this.input = this.querySelector("[name='spans']");
    this.message = this.querySelector("[data-message]");
    this.querySelector("[data-marking]").hidden = false;
    const button = this.querySelector("[data-mark]");
    button.addEventListener("pointerdown", () => this.note()); // A tap may clear the selection before the click.
    button.addEventListener("click", () => this.mark());
    this.input.form.addEventListener("change", () => this.show());
    this.show();
  }

  get spans() {
    return this.input.value
      .split(",")
      .map((part) => part.split("-").map(Number))
      .filter(([start, end]) => Number.isInteger(start) && Number.isInteger(end) && start < end);
  }

  note() {
    this.noted = this.selected();
  }

  selected() {
    const selection = document.getSelection();
    if (!selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    if (range.collapsed || !this.post.contains(range.commonAncestorContainer)) return null;
    const before = document.createRange();
    before.selectNodeContents(this.post);
    before.setEnd(range.startContainer, range.startOffset);
    return this.trimmed(before.toString(), range.toString());
  }

  trimmed(before, chosen) {
    const text = chosen.trim();
    if (!text) return null;
    const start = [...before].length + [...chosen.slice(0, chosen.indexOf(text))].length;
    return [start, start + [...text].length];
  }

  mark() {
    const span = this.selected() ?? this.noted;
    this.noted = null;
    this.message.textContent = span ? "" : this.dataset.nothing;
    if (!span) return;
    this.keep([...this.spans, span]);
    document.getSelection().removeAllRanges();
  }

  keep(spans) {
    const once = new Map(spans.map((span) => [span.join("-"), span]));
    this.input.value = [...once.keys()].join(",");
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
    this.show();
  }

  show() {
    const points = [...this.text];
    const spans = this.spans.filter(([, end]) => end <= points.length);
    const marked = points.map((_point, index) => spans.some(([start, end]) => start <= index && index < end));
    const pieces = [];
    for (let index = 0; index < points.length; index += 1) {
      if (index && marked[index] === marked[index - 1]) pieces[pieces.length - 1].text += points[index];
      else pieces.push({ text: points[index], marked: marked[index] });
    }
    this.post.replaceChildren(...pieces.map((piece) => this.piece(piece)));
    const items = spans.map((span) => this.item(span, points.slice(...span).join("")));
    this.querySelector("[data-list]").replaceChildren(...items);
    if (spans.length) this.querySelector("details").open = true;
  }

  piece({ text, marked }) {
    if (!marked) return document.createTextNode(text);
    const mark = document.createElement("mark");
    mark.textContent = text;
    return mark;
  }

  item(span, text) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-quiet button-small";
    button.textContent = "×";
    button.setAttribute("aria-label", this.dataset.remove.replace("{text}", text));
    button.addEventListener("click", () => {
      this.keep(this.spans.filter((one) => one.join() !== span.join()));
      this.querySelector("[data-mark]").focus();
    });
    item.append(`${this.dataset.one} ${text} `, button);
    return item;
  }
}

customElements.define("claim-marks", ClaimMarks);
