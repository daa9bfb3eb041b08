// Whole texts: counts words, fills in what a bookmarklet sends, follows a check, filters, moves from claim to claim.
"use strict";

(() => {
  const form = document.querySelector(".check-form");
  if (form) prepare(form);
  else follow();

  function prepare(form) {
    const text = form.elements.text, counter = document.getElementById("counter"), most = Number(form.dataset.maxWords);
    const given = new URLSearchParams(location.hash.slice(1)).get("text");
    if (given && !text.value) {
      text.value = given;
      history.replaceState(null, "", location.pathname + location.search);
    }
    const count = () => {
      const words = (text.value.match(/\S+/g) || []).length;
      const over = words > most;
      counter.textContent = over
        ? `${words.toLocaleString("en")} words: ${(words - most).toLocaleString("en")} more than can be checked at a time. Nothing was cut; check the parts one after the other.`
        : `${words.toLocaleString("en")} of ${most.toLocaleString("en")} words`;
      counter.classList.toggle("over", over);
      return over;
    };
    text.addEventListener("input", count);
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    form.addEventListener("submit", (event) => {
      if (!count()) return;
      event.preventDefault();
      text.focus();
    });
    if (text.value) count();
  }

  function follow() {
    let hidden = new Set(), chosen = null;
    const section = () => document.getElementById("checked");
    const said = document.getElementById("check-said");

    function arrange() {
      const root = section();
      for (const box of root.querySelectorAll(".filters input")) {
        box.checked = !hidden.has(box.value);
        box.addEventListener("change", () => {
          box.checked ? hidden.delete(box.value) : hidden.add(box.value);
          filter();
        });
      }
      for (const link of root.querySelectorAll("a.claim")) {
        link.addEventListener("click", () => choose(link.dataset.claim));
      }
      filter();
      if (chosen) mark();
    }

    function filter() {
      let shown = 0;
      for (const card of section().querySelectorAll(".claim-card")) {
        card.hidden = hidden.has(card.dataset.tone);
        shown += card.hidden ? 0 : 1;
      }
      for (const link of section().querySelectorAll("a.claim")) link.classList.toggle("dull", hidden.has(link.dataset.tone));
      if (said && hidden.size) said.textContent = `${shown} claims shown`;
    }

    function choose(id) {
      chosen = id;
      const card = document.getElementById(id);
      if (card.hidden) {
        hidden.delete(card.dataset.tone);
        arrange();
      }
      mark();
    }

    function mark() {
      for (const link of section().querySelectorAll("a.claim")) link.classList.toggle("chosen", link.dataset.claim === chosen);
      const details = document.getElementById(chosen)?.querySelector("details");
      if (details) details.open = true;
    }

    function step(by) {
      const cards = [...section().querySelectorAll(".claim-card:not([hidden])")];
      if (!cards.length) return;
      const at = cards.findIndex((card) => card.id === chosen);
      const next = cards[Math.min(cards.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
      choose(next.id);
      next.focus();
      next.scrollIntoView({ block: "nearest" });
    }

    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
      if (event.key === "j") step(1);
      else if (event.key === "k") step(-1);
    });
    addEventListener("beforeprint", () => {
      for (const details of section().querySelectorAll("details")) details.open = true;
    });

    async function poll() {
      if (section().dataset.running !== "yes") return;
      try {
        const response = await fetch(`${location.pathname}?fragment=true`);
        if (!response.ok) throw new Error(response.statusText);
        const made = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("checked");
        const open = [...section().querySelectorAll("details[open]")].map((one) => one.closest(".claim-card").id);
        const list = section().querySelector(".list").scrollTop, focused = document.activeElement?.id;
        section().replaceWith(made);
        for (const id of open) document.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
        arrange();
        section().querySelector(".list").scrollTop = list;
        if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
        if (made.dataset.running !== "yes" && said) said.textContent = "The check is done.";
      } catch { /* tried again */ }
      setTimeout(poll, 1500);
    }

    arrange();
    const wanted = location.hash.slice(1);
    if (/^c\d+$/.test(wanted) && document.getElementById(wanted)) choose(wanted);
    setTimeout(poll, 1000);
  }
})();
