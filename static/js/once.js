// <form data-once>: sent in the background, once at a time. The page stays until the server has answered,
// so a lost network loses nothing; the server must treat a repeated POST as the same one.

import { clock } from "./clock.js";

const WAITS = [1, 2, 4, 8, 15, 30];
const PATIENCE = 20_000;

function show(form, state, link) {
  const line = form.querySelector("[data-save-status]") ?? document.querySelector("[data-save-status]");
  if (!line) return;
  line.dataset.state = state === "signedOut" ? "refused" : state;
  line.textContent = line.dataset[state].replace("{time}", clock(Date.now()));
  if (!link) return;
  const anchor = Object.assign(document.createElement("a"), link);
  line.append(" ", anchor);
}

function setBusy(form, busy) {
  form.toggleAttribute("data-sending", busy);
  for (const button of form.querySelectorAll("button:not([type='button'])")) {
    button.disabled = busy;
    button.setAttribute("aria-busy", busy);
  }
}

function addMissing(page) {
  for (const found of page.head.querySelectorAll("link[rel='stylesheet'], script[src]")) {
    const attribute = found.matches("link") ? "href" : "src";
    const value = found.getAttribute(attribute);
    if (document.head.querySelector(`[${attribute}="${CSS.escape(value)}"]`)) continue;
    const wanted = document.createElement(found.localName);
    for (const { name, value: text } of found.attributes) wanted.setAttribute(name, text);
    document.head.append(wanted);
  }
}

// The parts of the next post: an empty one gives its attributes to the one that stands there, another replaces it.
function advance(page) {
  const main = document.querySelector("main").cloneNode(true);
  for (const part of page.querySelectorAll("[data-part]")) {
    const old = main.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!old) continue;
    if (part.hasChildNodes() && part.textContent.trim()) old.replaceWith(part);
    else for (const { name, value } of part.attributes) old.setAttribute(name, value);
    if (!part.hidden) old.hidden = false;
  }
  main.querySelector("form[data-once]").reset();
  document.title = page.title;
  document.querySelector("main").replaceWith(main);
  setBusy(main.querySelector("form[data-once]"), false);
  arrive();
  show(main.querySelector("form[data-once]"), "saved");
}

function swap(page, url) {
  addMissing(page);
  document.title = page.title;
  document.body.className = page.body.className;
  const band = document.querySelector(".stage-band");
  const newBand = page.querySelector(".stage-band");
  if (band && newBand) band.replaceWith(newBand);
  else band?.remove();
  document.querySelector("main").replaceWith(page.querySelector("main"));
  history.replaceState(null, "", url);
  arrive();
}

// Focus goes to what is new, and a screen reader hears it.
function arrive() {
  window.scrollTo(0, 0);
  const target = ["[role=alert][data-focus]", "[data-focus]", "h1"]
    .map((wanted) => document.querySelector(`main ${wanted}`))
    .find(Boolean);
  if (!target) return;
  if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
  target.focus();
  document.dispatchEvent(new CustomEvent("juryroom:say", { detail: target.textContent.trim().replace(/\s+/g, " ") }));
}

function stop(form, state, link) {
  setBusy(form, false);
  show(form, state, link);
}

async function take(form, response) {
  if (response.status === 403) {
    const line = document.querySelector("[data-save-status]");
    return stop(form, "refused", { href: location.href, textContent: line?.dataset.reload });
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (page.body.matches(".page-entrance")) {
    const login = new URL(response.url);
    login.searchParams.set("next", location.pathname + location.search);
    const line = document.querySelector("[data-save-status]");
    return stop(form, "signedOut", { href: login.href, textContent: line?.dataset.signIn });
  }
  if (page.querySelector("[data-part='post']") && !page.querySelector("main")) return advance(page);
  if (!page.querySelector("main")) return location.reload();
  return swap(page, response.url);
}

async function send(form, submitter, attempt = 0) {
  if (!form.isConnected) return;
  show(form, attempt ? "unsaved" : "saving");
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? location.href;
  setBusy(form, false); // A disabled button is left out of its form's data.
  const body = new FormData(form, submitter);
  const headers = { "X-Kept": form.dataset.keeps ?? "" };
  setBusy(form, true);
  try {
    const response = await fetch(action, { method: "POST", body, headers, signal: AbortSignal.timeout(PATIENCE) });
    if (response.status < 500 && response.status !== 429) return await take(form, response);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) {
      stop(form, "unsaved");
      throw error;
    }
  }
  show(form, "unsaved");
  setTimeout(send, WAITS[Math.min(attempt, WAITS.length - 1)] * 1000, form, submitter, attempt + 1);
}

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-once]")) return;
  event.preventDefault();
  if (!event.target.hasAttribute("data-sending")) send(event.target, event.submitter);
});
