"use strict";
(() => {
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const cases = [...document.querySelectorAll(".case")].map(player);
  let active = cases[0];

  function player(element) {
    const steps = [...element.querySelectorAll(".step")];
    const rail = [...element.querySelectorAll(".rail a")];
    const slider = element.querySelector("input");
    const output = element.querySelector("output");
    const buttons = [...element.querySelectorAll("button")];
    let now = 0;

    function show(wanted, moved) {
      const before = now;
      now = Math.max(0, Math.min(steps.length - 1, wanted));
      const from = moved && !still.matches ? places(steps[before]) : null;
      steps.forEach((step, index) => step.classList.toggle("now", index === now));
      rail.forEach((link, index) => index === now ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current"));
      buttons[0].disabled = now === 0;
      buttons[1].disabled = now === steps.length - 1;
      slider.value = now;
      const said = now ? output.dataset.text.replace("{0}", now).replace("{1}", steps.length - 1) : output.dataset.start;
      output.textContent = said;
      slider.setAttribute("aria-valuetext", `${said}${output.dataset.colon}${steps[now].querySelector("h4").textContent.trim()}`);
      if (from) slide(steps[now], from);
      if (moved) {
        active = self;
        history.replaceState(null, "", "#" + steps[now].id.split("/").map(encodeURIComponent).join("/"));
      }
    }

    const self = { element, steps, show, go: (by) => show(now + by, true), end: (last) => show(last ? steps.length - 1 : 0, true) };
    element.classList.add("live");
    element.querySelector(".player").hidden = false;
    slider.addEventListener("input", () => show(Number(slider.value), true));
    buttons.forEach((button) => button.addEventListener("click", () => self.go(Number(button.dataset.go))));
    element.addEventListener("pointerdown", () => { active = self; });
    element.addEventListener("focusin", () => { active = self; });
    element.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      const step = link ? steps.findIndex((one) => one.id === target(link.getAttribute("href"))) : -1;
      if (step >= 0) {
        event.preventDefault();
        show(step, true);
      }
    });
    show(0, false);
    return self;
  }

  function graph(figure) {
    const chosen = figure.querySelector(".chosen");
    figure.addEventListener("click", (event) => {
      const link = event.target.closest("svg a");
      if (!link) return;
      event.preventDefault();
      const id = target(link.getAttribute("href"));
      const number = id.split("/").pop();
      figure.querySelectorAll("svg a").forEach((one) => one.classList.toggle("on", one === link));
      figure.querySelectorAll("path").forEach((path) => {
        path.classList.toggle("out", path.dataset.s === number);
        path.classList.toggle("in", path.dataset.t === number && path.dataset.s !== number);
      });
      const list = document.createElement("ol");
      list.start = Number(number);
      list.append(document.getElementById(id).cloneNode(true));
      list.firstChild.removeAttribute("id");
      chosen.replaceChildren(list);
      chosen.hidden = false;
    });
  }

  function target(hash) {
    try {
      return decodeURIComponent(hash.slice(1));
    } catch {
      return "";
    }
  }

  function places(step) {
    const found = new Map();
    for (const card of step.querySelectorAll("[data-o]")) {
      if (!found.has(card.dataset.o)) found.set(card.dataset.o, card.getBoundingClientRect());
    }
    return found;
  }

  function slide(step, from) {
    for (const [name, to] of places(step)) {
      const was = from.get(name);
      if (!was || !was.width) continue;
      const x = was.left - to.left, y = was.top - to.top;
      if (Math.abs(x) + Math.abs(y) < 2) continue;
      const card = step.querySelector(`[data-o="${name}"]`);
      const rest = getComputedStyle(card).transform;
      const end = rest === "none" ? "" : rest;
      card.animate([{ transform: `translate(${x}px, ${y}px) ${end}` }, { transform: end || "none" }], { duration: 280, easing: "ease-out" });
    }
  }

  function follow() {
    const wanted = target(location.hash);
    for (const one of cases) {
      const step = one.steps.findIndex((element) => element.id === wanted);
      if (step >= 0 || one.element.id === wanted) {
        active = one;
        if (step >= 0) one.show(step, false);
        (one.steps[step] ?? one.element).scrollIntoView();
      }
    }
  }

  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest("input, select, textarea, [contenteditable]");
    if (!active || busy || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) {
      event.preventDefault();
      active.go(by);
    }
  });
  document.querySelectorAll(".keys").forEach((line) => { line.hidden = false; });
  document.querySelectorAll(".graph").forEach(graph);
  addEventListener("hashchange", follow);
  follow();
})();
