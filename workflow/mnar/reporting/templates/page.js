"use strict";
(() => {
  const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const tip = document.getElementById("tip");

  function showTip(lines, x, y) {
    tip.replaceChildren(...lines.map((line, n) => {
      const element = document.createElement(n ? "span" : "b");
      element.textContent = line;
      return element.tagName === "B" ? element : Object.assign(document.createElement("div"), { textContent: line });
    }));
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 12, innerWidth - box.width - 4)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(4, y - box.height - 8) : y + 18) + "px";
  }
  const hideTip = () => { tip.hidden = true; };

  // Words of the glossary: their text on hover and on focus, from the list below.
  function explain(event) {
    const term = event.target.closest && event.target.closest("a.term");
    if (!term) return;
    const entry = document.getElementById(term.getAttribute("href").slice(1));
    if (!entry) return;
    const box = term.getBoundingClientRect();
    showTip([entry.textContent, entry.nextElementSibling.textContent], box.left, box.top);
  }
  for (const name of ["mouseover", "focusin"]) document.addEventListener(name, explain);
  for (const name of ["mouseout", "focusout", "scroll"]) document.addEventListener(name, hideTip, true);
  document.addEventListener("keydown", event => { if (event.key === "Escape") hideTip(); });

  // A link may lead into something folded.
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    target.scrollIntoView();
  }
  addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  const contents = document.querySelector("#contents details");
  if (innerWidth < 1100) {
    contents.open = false;
    contents.addEventListener("click", event => { if (event.target.tagName === "A") contents.open = false; });
  }

  // Filters of the claims.
  const form = document.getElementById("claim-filters");
  const claims = $(".claim");
  function filter() {
    const wanted = Object.fromEntries(new FormData(form));
    const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const claim of claims) {
      const fits = ["paper", "verdict", "kind", "dataset"].every(
        key => !wanted[key] || claim.dataset[key].split("|").includes(wanted[key]));
      const text = claim.textContent.toLowerCase();
      const shown = fits && words.every(word => text.includes(word));
      claim.hidden = !shown;
      count += shown;
    }
    const active = Object.values(wanted).some(Boolean);
    for (const paper of $(".claims")) {
      const any = $(".claim:not([hidden])", paper).length > 0;
      paper.hidden = active && !any;
      paper.open = active && any;
    }
    form.querySelector("output").textContent = active ? `${count} of ${claims.length} claims` : "";
  }
  if (form) {
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
  }

  // Charts are drawn when they come near; the still picture stays for print and without scripts.
  const label = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  function hover(handler, event, item, value) {
    if (!value) return hideTip();
    const lines = Object.entries(value).filter(([, v]) => v !== null && v !== undefined)
      .map(([k, v]) => `${k}: ${typeof v === "number" ? +v.toPrecision(4) : v}`);
    showTip(lines, event.clientX, event.clientY);
  }
  async function draw(box) {
    const data = JSON.parse(box.querySelector("script").textContent);
    if (data.title) box.append(label("strong", data.title));
    if (data.caption) box.append(Object.assign(label("p", data.caption), { className: "soft" }));
    const chips = document.createElement("fieldset");
    chips.className = "chips";
    chips.append(label("legend", "Show"));
    const views = [];
    const shown = new Set(data.shown.map(one => one.name));
    for (const one of data.shown.length > 1 ? data.shown : []) {
      const chip = document.createElement("label");
      const input = Object.assign(document.createElement("input"), { type: "checkbox", checked: true, value: one.name });
      input.addEventListener("change", () => {
        if (input.checked) shown.add(one.name); else shown.delete(one.name);
        for (const view of views) view.signal("shown", [...shown]).runAsync();
      });
      chip.append(input);
      if (one.colour) {
        const swatch = Object.assign(document.createElement("span"), { className: "swatch" });
        swatch.style.background = one.colour;
        chip.append(swatch);
      }
      chip.append(one.name);
      chips.append(chip);
    }
    if (data.shown.length > 1 && data.shown[0].colour) box.append(chips);
    else if (data.shown.length > 1) {
      const fold = document.createElement("details");
      fold.append(label("summary", "Filter"), chips);
      box.append(fold);
    }
    const panels = Object.assign(document.createElement("div"), { className: "panels" });
    box.append(panels);
    for (const panel of data.panels) {
      const one = document.createElement("div"), place = document.createElement("div");
      if (panel.title) one.append(Object.assign(label("p", panel.title), { className: "title" }));
      one.append(place);
      panels.append(one);
      const spec = { ...data.spec, datasets: { ...data.spec.datasets, rows: panel.rows } };
      const result = await window.vegaEmbed(place, spec, {
        ast: true, actions: false, renderer: "svg", defaultStyle: false, tooltip: hover,
      });
      views.push(result.view);
      // The still picture and the table have the words; a screen reader hears the title alone.
      one.tabIndex = 0;
      one.setAttribute("role", "img");
      one.setAttribute("aria-label", [data.title, panel.title, "interactive chart"].filter(Boolean).join(", "));
      place.setAttribute("aria-hidden", "true");
    }
    box.append(Object.assign(label("p", box.dataset.hint), { className: "soft" }));
    box.closest("figure").classList.add("live");
  }
  const near = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      draw(entry.target).catch(error => console.error(error));
    }
  }, { rootMargin: "400px" });
  for (const box of $(".chart")) near.observe(box);

  // Folded parts are printed, too, but not the configuration.
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = $("details:not([open]):not(.config)");
    for (const one of folded) one.open = true;
  });
  addEventListener("afterprint", () => { for (const one of folded) one.open = false; });
})();
