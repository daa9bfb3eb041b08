// Makes the page better where it runs: progress by stage, copying. Without it, forms and links do the work.
"use strict";

const form = document.querySelector("form.ask");
const byId = (id) => document.getElementById(id);
const address = () => location.pathname + location.search;
let shown = address(); // of the page that is seen: links within it change the fragment alone

function enhance(root) {
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  for (const link of root.querySelectorAll(".pop a[href^='#']")) {
    link.addEventListener("click", () => link.closest(".pop").hidePopover());
  }
}

async function copy(button) {
  const said = button.closest(".tools").querySelector(".said");
  try {
    const response = await fetch(button.dataset.copy);
    if (!response.ok) throw new Error(response.statusText);
    await navigator.clipboard.writeText(await response.text());
    said.textContent = "Copied.";
  } catch {
    said.textContent = "Could not copy; use the Markdown link.";
  }
}

function requestBody(fields) {
  const body = { text: fields.get("text"), filters: {}, options: {} };
  for (const name of ["kind", "as_of"]) if (fields.get(name)) body[name] = fields.get(name);
  for (const name of ["published_from", "published_to"]) if (fields.get(name)) body.filters[name] = fields.get(name);
  if (fields.getAll("source").length) body.filters.sources = fields.getAll("source");
  const prefix = `option.${fields.get("system")}.`;
  for (const [name, value] of fields) {
    if (!name.startsWith(prefix) || !value) continue;
    body.options[name.slice(prefix.length)] = form.elements[name].type === "number" ? Number(value) : value;
  }
  return body;
}

// Shows what belongs to the chosen system alone.
function chooseSystem() {
  const chosen = form.querySelector("input[name=system]:checked");
  if (!chosen) return;
  byId("summary").textContent = chosen.dataset.summary;
  // disabled, too: browsers check hidden fields, and cannot show what is wrong with them
  for (const group of form.querySelectorAll(".of-system")) {
    group.disabled = group.hidden = group.dataset.system !== chosen.value;
  }
  const note = byId("or-text");
  if (note) note.hidden = Number(chosen.dataset.max) <= 2000;
  offerWholeText();
}

// A text that is too long for one query is never cut: it is offered to the page of whole texts.
function offerWholeText() {
  const chosen = form.querySelector("input[name=system]:checked"), most = Number(chosen?.dataset.max ?? 2000);
  byId("taken").textContent = most.toLocaleString("en");
  byId("whole-text").hidden = byId("text").value.length <= most;
}

// Opens the options where one of them keeps the form from being sent, so that the browser can say so there.
function unfold(event) {
  const folded = event.target.closest("details");
  if (folded) folded.open = true;
}

// Yields {event, data} of a server-sent event stream.
async function* events(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const lines = part.split("\n"); // for a pattern, a line would also end at U+2028, which quotes may hold
      const field = (name) => lines.find((line) => line.startsWith(name))?.slice(name.length);
      const [event, data] = [field("event: "), field("data: ")];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}

function showStage(name) {
  const items = [...document.querySelectorAll("#progress li")];
  const at = items.findIndex((item) => item.dataset.stage === name);
  if (at < 0) return;
  items[at].classList.add("now");
  for (const item of items.slice(0, at)) item.classList.add("done");
  for (const item of items) item.classList.toggle("now", item === items[at]);
  byId("stage-said").textContent = items[at].textContent;
}

function showProblem(message, hint) {
  const line = document.createElement("p");
  const strong = document.createElement("strong");
  strong.textContent = message.replace(/\.?$/, ".");
  line.append(strong, " ", hint ?? "");
  byId("problem").replaceChildren(line);
}

// In another tab, so that what was typed stays.
function showSignIn() {
  const link = document.createElement("a");
  Object.assign(link, { href: "/", target: "_blank", textContent: "Sign in (in a new tab)" });
  showProblem("You are no longer signed in");
  byId("problem").querySelector("p").append(link, ", then press Check again here.");
}

async function showResult(runId) {
  const response = await fetch(`/runs/${runId}?fragment=1`);
  if (!response.ok) throw new Error(response.statusText);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  byId("result").replaceChildren(...page.body.childNodes);
  enhance(byId("result"));
  history.pushState({}, "", `/runs/${runId}`);
  shown = address();
  const heading = byId("result").querySelector("h2");
  heading?.focus({ preventScroll: true });
  byId("result").scrollIntoView({ block: "start" });
}

async function ask(signal) {
  const fields = new FormData(form);
  const response = await fetch(`/v1/${encodeURIComponent(fields.get("system"))}/stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(requestBody(fields)),
    signal,
  });
  if (response.status === 401) return showSignIn();
  if (!response.ok) {
    const error = await response.json();
    return showProblem(error.message, error.hint);
  }
  for await (const { event, data } of events(response.body)) {
    if (event === "stage") showStage(data.stage);
    if (event === "result") await showResult(data.run_id);
    if (event === "error") showProblem(data.message, data.hint);
  }
}

async function submit(event) {
  if (event.submitter?.hasAttribute("formaction")) return; // to the page of whole texts
  event.preventDefault();
  const button = form.querySelector("button[type=submit]");
  if (button.getAttribute("aria-busy") === "true") return;
  const stopper = new AbortController();
  const progress = byId("progress");
  button.setAttribute("aria-busy", "true");
  byId("problem").replaceChildren();
  byId("result").replaceChildren();
  for (const item of progress.querySelectorAll("li")) item.className = "";
  progress.hidden = false;
  byId("stop").onclick = () => stopper.abort();
  try {
    await ask(stopper.signal);
  } catch (error) {
    if (error.name !== "AbortError") showProblem("The service does not answer", "Try again in a moment.");
  } finally {
    progress.hidden = true;
    button.removeAttribute("aria-busy");
  }
}

if (form && form.dataset.live === "yes" && window.TextDecoderStream) {
  form.addEventListener("submit", submit);
  byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}
if (form) {
  form.addEventListener("invalid", unfold, true);
  for (const radio of form.querySelectorAll("input[name=system]")) radio.addEventListener("change", chooseSystem);
  byId("text").addEventListener("input", offerWholeText);
  chooseSystem();
}
// On every page: after a reload, Back may lead from a run's own page to the form, which is not loaded for it.
window.addEventListener("popstate", () => {
  if (address() !== shown) location.reload();
});
// Back may also have been pressed before this file ran. Of other addresses a proxy may change the spelling.
if (/^\/(runs\/[^/%]+)?$/.test(location.pathname) && location.pathname !== document.body.dataset.path) location.reload();
// A page that Back brings again out of the browser's memory stays with who is still signed in.
window.addEventListener("pageshow", async (event) => {
  if (!event.persisted || !document.querySelector("form[action='/sign-out']")) return;
  const response = await fetch(address(), { method: "HEAD" }).catch(() => null);
  if (response?.status === 401) location.reload();
});
enhance(document);
