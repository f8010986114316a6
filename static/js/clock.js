// The time of day in the zone of whoever looks.

export function clock(moment) {
  const { lang, dataset } = document.documentElement;
  const parts = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: dataset.timeZone };
  return new Intl.DateTimeFormat(lang, parts).format(moment);
}
