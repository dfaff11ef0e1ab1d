// What the browser does by itself: language, colour scheme, keeping the focus, sending files, dragging.
"use strict";
(() => {
  const root = document.documentElement;
  root.lang = document.querySelector("meta[name=microveil-language]").content;
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
  let shown = null;
  // On a phone the path is wider than the page: it is moved so that the present stop is seen.
  const follow = () => {
    const here = document.querySelector(".trail [aria-current]");
    if (here) here.closest("ol").scrollLeft = here.parentElement.offsetLeft - 40;
  };
  addEventListener("resize", follow);
  const restore = () => {
    const now = document.getElementById("step-form");
    if (now && !form) now.scrollIntoView({ block: "start" });
    form = now;
    const path = document.querySelector(".trail ol");
    if (path && path !== shown) { shown = path; follow(); }
    for (const summary of document.querySelectorAll("details:not([open]) > summary[data-key]"))
      if (unfolded.has(summary.dataset.key)) summary.parentElement.open = true;
    if (key && (document.activeElement === document.body || !document.activeElement))
      for (const one of document.querySelectorAll("[data-key]"))
        if (one.dataset.key === key) { one.focus({ preventScroll: true }); break; }
  };

  // A field shows the server's value when it is new here, or when the server has another one
  // (a new stamp); in between it belongs to whoever types into it.
  const show = (field) => {
    if (field.type === "checkbox" || field.type === "radio") field.checked = field.dataset.value === "true";
    else field.value = field.dataset.value;
  };
  const drawn = (changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (target.dataset?.stamp && (type === "attributes" || target.tagName === "SELECT")) show(target);
      for (const node of addedNodes) {
        if (node.dataset?.stamp) show(node);
        node.querySelectorAll?.("[data-stamp]").forEach(show);
      }
    }
    restore();
  };
  new MutationObserver(drawn).observe(document,
    { childList: true, subtree: true, attributes: true, attributeFilter: ["data-stamp"] });

  // A click is for what was pressed, even if the page was drawn anew and it moved meanwhile.
  let pressed = null;
  document.addEventListener("pointerdown", (event) => {
    pressed = null;
    const target = event.target.closest?.("button, summary, a[href], label");
    if (!target || event.button || event.pointerType !== "mouse") return;
    const key = (target.dataset.key ? target : target.querySelector("[data-key]"))?.dataset.key;
    const { top, left } = target.getBoundingClientRect();
    pressed = { target, key, top, left, x: event.clientX, y: event.clientY, clicked: false };
  }, true);
  document.addEventListener("click", (event) => {
    if (pressed?.target.contains(event.target)) pressed.clicked = true;
  }, true);
  addEventListener("dragstart", () => { pressed = null; }, true);
  document.addEventListener("pointerup", (event) => {
    const press = pressed;
    if (!press || Math.hypot(event.clientX - press.x, event.clientY - press.y) > 8) return;
    setTimeout(() => {
      const { top, left } = press.target.getBoundingClientRect();
      const stayed = press.target.isConnected && top === press.top && left === press.left;
      if (press.clicked || stayed) return;
      const same = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === press.key);
      (press.target.isConnected ? press.target : press.key && same)?.click();
    });
  }, true);

  // After a restart the server knows neither this page nor the session: ask it for the page, and
  // go where it sends us, instead of trying to reconnect for ever.
  setInterval(async () => {
    if (document.getElementById("popup")?.ariaHidden !== "false") return;
    try {
      const answer = await fetch(location.pathname, { redirect: "manual", cache: "no-store" });
      if (answer.type === "opaqueredirect") location.assign("/sign-in");
      else if (answer.ok) location.reload();
    } catch { /* the server is away: the next try comes by itself */ }
  }, 4000);

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

  // The server hears of values and drops by events of these names, so that it need not send
  // scripts to be evaluated here; the page's policy forbids that.
  const tell = (target, name, detail) => target.dispatchEvent(new CustomEvent(name, { detail }));
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (field.dataset.send) send(field.files[0], field.dataset.send, `${field.dataset.send}-progress`);
    else if ("submit" in field.dataset) field.form.submit();
    else tell(field, "mv-value", field.type === "checkbox" ? field.checked : field.value);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-theme-switch]")) theme();
  });

  // Dragging: what has data-drag carries its name to what has data-lane of the same kind.
  let dragged = null;
  const place = (event) => {
    const found = event.target.closest?.("[data-lane], [data-files]");
    if (!found || (found.dataset.lane && found.dataset.lane !== dragged)) return null;
    return found;
  };
  document.addEventListener("dragstart", (event) => {
    const card = event.target.closest?.("[data-drag]");
    if (!card) return;
    dragged = card.dataset.drag;
    event.dataTransfer.setData("text/plain", card.dataset.name);
    event.dataTransfer.effectAllowed = "move";
  });
  document.addEventListener("dragend", () => { dragged = null; });
  document.addEventListener("dragover", (event) => {
    const over = place(event);
    if (over) { event.preventDefault(); over.classList.add("over"); }
  });
  document.addEventListener("dragleave", (event) => {
    const over = place(event);
    if (over && !over.contains(event.relatedTarget)) over.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    const over = place(event);
    if (!over) return;
    event.preventDefault();
    over.classList.remove("over");
    if (over.dataset.files) send(event.dataTransfer.files[0], over.dataset.files, `${over.dataset.files}-progress`);
    else tell(over, "mv-drop", event.dataTransfer.getData("text/plain"));
  });
})();
