// What is known before the first paint: light or dark, as the machine is set unless the player chose; whether he has games.
try {
  const chosen = localStorage.getItem("leuthen.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  if (localStorage.getItem("leuthen.returning")) document.documentElement.classList.add("is-returning");
} catch {
  // This browser keeps nothing for pages: it is as the machine is set.
}
