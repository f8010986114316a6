// Searches the legal library without leaving the page. Without it, the form opens the search's page.

class LibrarySearch extends HTMLElement {
  connectedCallback() {
    this.addEventListener("submit", (event) => this.search(event));
  }

  async search(event) {
    const form = event.target;
    if (form.method !== "get") return;
    event.preventDefault();
    const hits = this.querySelector("[data-hits]");
    const address = new URL(form.action);
    address.search = new URLSearchParams(new FormData(form)).toString();
    address.searchParams.set("part", "hits");
    if (hits.dataset.cite) address.searchParams.set("cite", hits.dataset.cite);
    const asked = (this.asked = Symbol());
    hits.setAttribute("aria-busy", "true");
    const found = await fragment(address);
    if (asked !== this.asked) return;
    hits.removeAttribute("aria-busy");
    if (found === null) hits.textContent = hits.dataset.failed;
    else hits.replaceChildren(found);
  }
}

async function fragment(address) {
  try {
    const answer = await fetch(address, { redirect: "error" });
    if (!answer.ok) return null;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.querySelector(".hits");
  } catch {
    return null;
  }
}

customElements.define("library-search", LibrarySearch);
