// The frame of every page: theme button, menus that close by themselves, the polite live region, the present item in view.

const THEMES = ["system", "light", "dark"];
const root = document.documentElement;

function showTheme(button) {
  const theme = root.dataset.theme ?? "system";
  for (const icon of button.querySelectorAll("[data-theme-icon]")) {
    icon.hidden = icon.dataset.themeIcon !== theme;
  }
  button.querySelector("[data-theme-label]").textContent = button.dataset[theme];
  button.title = button.dataset[theme];
}

function nextTheme(button) {
  const theme = THEMES[(THEMES.indexOf(root.dataset.theme ?? "system") + 1) % THEMES.length];
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  try {
    localStorage.setItem("juryroom.theme", theme);
  } catch {
    // It still holds for this page.
  }
  showTheme(button);
}

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  showTheme(button);
  button.hidden = false;
  button.addEventListener("click", () => nextTheme(button));
}

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && event.target.closest?.("details[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// On a narrow screen the present item of the navigation is brought into view, the page stays put.
const present = document.querySelector(".subnav [aria-current]");
if (present) {
  const bar = present.closest(".subnav");
  const [item, frame] = [present.getBoundingClientRect(), bar.getBoundingClientRect()];
  bar.scrollLeft += item.left + item.width / 2 - (frame.left + frame.width / 2);
}

// Any element may say something: dispatch "juryroom:say" with the text as detail.
document.addEventListener("juryroom:say", (event) => {
  const live = document.getElementById("live");
  live.textContent = "";
  requestAnimationFrame(() => { live.textContent = event.detail; });
});
