// Sets the chosen theme before anything is painted. Runs blocking in <head>, so it does nothing else.
try {
  const theme = localStorage.getItem("juryroom.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden here: the system's theme stays.
}
