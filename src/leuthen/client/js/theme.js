// Light or dark: as the machine is set, unless the player chose. A plain script, so that it is done before the first paint.
try {
  const chosen = localStorage.getItem("leuthen.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // This browser keeps nothing for pages: it is as the machine is set.
}
