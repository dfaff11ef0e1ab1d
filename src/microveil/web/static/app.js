// What the browser does by itself: colour scheme, keeping the focus, sending files.
"use strict";
window.microveil = (() => {
  const root = document.documentElement;
  const saved = localStorage.getItem("microveil-theme");
  if (saved) root.dataset.theme = saved;

  const theme = () => {
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    localStorage.setItem("microveil-theme", root.dataset.theme);
  };

  // When a part of the page is drawn anew, the element with the same key gets the focus back,
  // and what was unfolded stays so.
  let key = null;
  const unfolded = new Set();
  document.addEventListener("focusin", (event) => { key = event.target.dataset.key || null; });
  document.addEventListener("click", (event) => {
    const summary = event.target.closest?.("summary[data-key]");
    if (summary) summary.parentElement.open
      ? unfolded.delete(summary.dataset.key) : unfolded.add(summary.dataset.key);
  }, true);
  let form = null;
  let shown = false;
  const restore = () => {
    const now = document.getElementById("step-form");
    if (now && !form) now.scrollIntoView({ block: "start" });
    form = now;
    const here = document.querySelector(".trail [aria-current]");
    if (here && !shown) { shown = true; here.parentElement.parentElement.scrollLeft = here.parentElement.offsetLeft - 40; }
    for (const summary of document.querySelectorAll("details:not([open]) > summary[data-key]"))
      if (unfolded.has(summary.dataset.key)) summary.parentElement.open = true;
    if (key && (document.activeElement === document.body || !document.activeElement))
      for (const one of document.querySelectorAll("[data-key]"))
        if (one.dataset.key === key) { one.focus({ preventScroll: true }); break; }
  };
  addEventListener("DOMContentLoaded", () =>
    new MutationObserver(restore).observe(document.body, { childList: true, subtree: true }));

  const send = (file, purpose, status) => {
    if (!file) return;
    const request = new XMLHttpRequest();
    request.open("PUT", "/upload");
    request.setRequestHeader("X-Microveil", "upload");
    request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
    request.setRequestHeader("X-Purpose", purpose);
    const bar = document.getElementById(status);
    request.upload.onprogress = (event) => {
      if (bar && event.lengthComputable) { bar.hidden = false; bar.value = (100 * event.loaded) / event.total; }
    };
    request.onloadend = () => { if (bar) bar.hidden = true; };
    request.send(file);
  };

  const dropped = (event, purpose, status) => {
    event.preventDefault();
    event.currentTarget.classList.remove("over");
    send(event.dataTransfer.files[0], purpose, status);
  };
  return { theme, send, dropped };
})();
