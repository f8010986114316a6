// Shows <time data-local="datetime|date|time"> in the person's own zone; the server renders UTC.

const root = document.documentElement;
const PARTS = {
  datetime: { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  date: { day: "numeric", month: "long", year: "numeric" },
  time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

function format(moment, parts) {
  try {
    return new Intl.DateTimeFormat(root.lang, { ...parts, timeZone: root.dataset.timeZone }).format(moment);
  } catch {
    return new Intl.DateTimeFormat(root.lang, parts).format(moment);
  }
}

function localise(scope) {
  for (const time of scope.querySelectorAll("time[data-local]:not([title])")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.valueOf())) continue;
    time.title = `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    time.textContent = format(moment, PARTS[time.dataset.local] ?? PARTS.datetime);
  }
}

localise(document);
new MutationObserver((changes) => {
  for (const change of changes) {
    for (const node of change.addedNodes) {
      if (node.nodeType === Node.ELEMENT_NODE) localise(node.parentElement ?? node);
    }
  }
}).observe(document.body, { childList: true, subtree: true });
