// What is known before the first paint: light or dark, as the machine is set unless the player chose; whether he has games.
try {
  const chosen = localStorage.getItem("leuthen.theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
  if (localStorage.getItem("leuthen.returning")) document.documentElement.classList.add("is-returning");
  // A table's data is requested before its scripts are here, unless the screen is passed from one player to the other.
  const [, seat] = /^\/table\/([\w-]+)$/.exec(location.pathname) ?? [];
  if (seat && !location.hash && !sessionStorage.getItem(`leuthen.veiled.${seat}`)) {
    const link = Object.assign(document.createElement("link"), { rel: "preload", as: "fetch", crossOrigin: "anonymous" });
    document.head.append(Object.assign(link, { href: `/api/seats/${seat}` }));
  }
} catch {
  // This browser keeps nothing for pages: it is as the machine is set.
}
