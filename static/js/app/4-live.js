// The table's page: taps, keys, the stream and what to do when it is silent.

let heardAt = Date.now(); // when a picture last came, by whatever way
let etag = "";
let broken = false; // the stream failed; it is asked for by polling until it is back
let prompts = 0, idleSince = Date.now();
let byKeys = false, focused = "";
let turn = { at: Date.now() }; // since when this has been the thing to do
let going = null; // where the page could have gone when it was loaded
let heard = ""; // what a page without a table has said last
let wokeAt = -1; // how much had happened besides moves when a touch woke the seat
let waking = false; // the touch that wakes is no tap on what lies below

/** After every new picture: choices, what to say, where the focus is. */
function refresh() {
  paintSound();
  follow();
  if (!table()) { hearPage(); return; }
  if (newest < 0) { newest = told = Number(table().dataset.v); besides = Number(table().dataset.w); }
  if (playing) return;
  readPicks();
  paintPicks();
  showHint();
  rest();
  if (table().dataset.next !== turn.next || table().dataset.v !== turn.v) turn = { ...table().dataset, at: Date.now() };
  const notice = find("#notice");
  if (notice && !notice.dataset.read) {
    notice.dataset.read = "";
    sayOf(notice);
    setTimeout(() => notice.remove(), 5000);
  }
  if (byKeys && document.activeElement === document.body) {
    focusOn(document.getElementById(focused) || fans().find(can) || find("#again") || table());
  }
  touched();
  prompts = 0;
}

/** A round has begun elsewhere since this page was loaded: the child is brought there. */
function follow() {
  const go = find("[data-go]")?.dataset.go;
  if (go === undefined) return;
  going ??= go;
  if (go && go !== going) location.assign(go);
}

/** What lies over a table that rests is said once, and nothing below it can be reached. */
function rest() {
  if (!find("#wake") || besides !== wokeAt) document.body.classList.remove("is-back");
  const words = find("body:not(.is-back) #resting"), below = [find("#question"), find("#board")];
  for (const part of table().children) part.inert = Boolean(words) && part.id !== "rest" && !part.matches(".table__top");
  for (const part of below) if (part) part.inert = Boolean(words);
  table().inert = !words && below.some((part) => part?.childElementCount);
  if (words && words.dataset.say !== heard) sayOf(words);
  heard = words?.dataset.say || "";
}

/** "Eyes on me" is meant now, whatever is being told or asked; that a friend plays is seen over a
    question too, so that a touch of it is one that wakes. All else waits until it is its turn. */
function cover(next) {
  const old = find("#rest"), over = find("#rest", next);
  const now = over?.matches(asking() ? ".rest--now,.rest--asleep" : ".rest--now");
  if (now || !over || old?.matches(".rest--now")) old?.remove();
  if (now) {
    table().append(over.cloneNode(true));
    htmx.process(find("#rest"));
    hurry();
  }
  rest();
}

/** Until the teacher lets the class go on, nothing is told. */
async function calm() {
  while (find(".rest--now")) await pause(100);
}

/** A touch wakes a seat that a friend plays for. What the friend did meanwhile is told no more, and
    nothing covers the table from here on: the child does not wait for the school's answer, nor for
    old news. */
function wakeUp(event) {
  waking = false;
  const form = find("#wake");
  if (!form || "sent" in form.dataset || event.target.closest?.("a,#sound")) return;
  if (event.type === "keydown") {
    event.stopImmediatePropagation();
    if (event.key === "Enter" || event.key === " ") event.preventDefault();
  } else waking = true;
  wokeAt = besides;
  document.body.classList.add("is-back");
  comeBack(form);
  away = true;
  hurry();
  rest();
}

function comeBack(form) {
  form.dataset.sent = "";
  form.requestSubmit();
}

/** The page where friends meet says its next thing whenever that changes. */
function hearPage() {
  const words = find("#friends [data-say]");
  if (words && heard && words.dataset.say !== heard) sayOf(words);
  heard = words?.dataset.say || heard;
}

/** Lights what a hint points at. */
function showHint() {
  for (const one of all(".is-hinted")) one.classList.remove("is-hinted");
  const hint = find("#hint [data-lit]");
  if (!hint) return;
  for (const id of words(hint.dataset.lit)) document.getElementById(id)?.classList.add("is-hinted");
  if (!("read" in hint.dataset)) { hint.dataset.read = ""; sayOf(find(".told", hint)); }
}

let shutting = 0; // the timer of a board that shuts itself

function boardOpened() {
  focusOn(find("#shut"));
  const seconds = Number(find("#board").dataset.seconds);
  clearTimeout(shutting);
  if (seconds) shutting = setTimeout(shutBoard, seconds * 1000);
}

function shutBoard() {
  clearTimeout(shutting);
  const board = find("#board");
  if (!board?.childElementCount) return;
  const empty = document.createElement("div");
  empty.id = "board";
  board.replaceWith(empty);
  rest();
  focusOn(find("#line"));
}

/** Whether this page waits for the school; only those of children have a sign for it. */
function waits(now) {
  const sign = find("#lost");
  if (sign) sign.hidden = !now;
}

/** While there is no network no way leads anywhere: a child's page stays, and shows that it waits. */
function kept(event) {
  if (navigator.onLine || !find("#lost")) return false;
  event.preventDefault();
  event.stopImmediatePropagation();
  waits(true);
  return true;
}

document.addEventListener("click", (event) => {
  if (waking) { event.preventDefault(); event.stopImmediatePropagation(); waking = false; return; }
  const button = event.target.closest?.("button,a,summary,.ask__slot,.pond,.veil");
  if (button?.matches("a[href]:not([href^='#'],#shut)") && kept(event)) return;
  if (button?.id === "sound") { toggleSound(); return; }
  if (playing && !asking() && !button?.matches("a,#sound") && !find("#board > *")) {
    event.preventDefault();
    event.stopPropagation();
    hurry();
    return;
  }
  if (!button) return;
  if (button.id === "shut" && table()) { event.preventDefault(); shutBoard(); }
  else if (button.matches(".sheet__shut,.veil--sheet")) { if (button.matches("a") || event.target === button) { event.preventDefault(); shutSheets(); } }
  else if (button.matches(".veil") && event.target === button) shutBoard();
  else if (button.matches(".single")) { event.preventDefault(); takeCard(button); }
  else if (button.matches(".fan,.trait,.opt,.ring .seat")) { event.preventDefault(); pick(button, event.detail === 0); }
  else if (button.matches("[aria-disabled=true]")) event.preventDefault();
  else if (button.matches(".ask__slot")) nudge();
}, true);

document.addEventListener("toggle", (event) => {
  if (event.target.matches?.(".sheet[open]")) {
    idleSince = Date.now();
    sayOf(find(".sheet__words", event.target));
  }
}, true);

document.addEventListener("submit", (event) => {
  if (!event.target.hasAttribute("hx-post") && kept(event)) return;
  if (!("move" in event.target.dataset)) return;
  const unready = event.target.id === "ask" && nextPick() !== "ask";
  if ((playing && !asking()) || unready || event.target.matches(".is-busy")) {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!playing && unready) nudge();
    return;
  }
  hush();
  event.target.classList.add("is-busy");
}, true);

document.addEventListener("keydown", (event) => {
  byKeys = true;
  touched();
  if (event.key === "Escape") { if (asking()) return; if (playing) hurry(); else if (!shutSheets()) shutBoard(); }
  if (playing && !asking() && (event.key === "Enter" || event.key === " ") && !event.target.closest("a,#sound,.veil")) {
    event.preventDefault();
    if (!event.repeat) hurry();
  }
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], here = event.target.closest?.(".fan,.ring .seat,.trait,.single");
  if (step && here) {
    const row = here.matches(".fan") ? fans() : here.matches(".seat") ? seats() : all(".trait,.single", here.parentElement);
    focusOn(row[(row.indexOf(here) + step + row.length) % row.length]);
    event.preventDefault();
  }
});
document.addEventListener("pointerdown", () => { byKeys = false; touched(); });
document.addEventListener("focusin", (event) => { if (event.target.id) focused = event.target.id; });

// ---- htmx tells

document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.target?.id === "board") boardOpened();
  refresh();
  if (detail.ctx.target?.id === "question") questionChanged();
});
document.addEventListener("htmx:sse:after:message", () => { heardAt = Date.now(); broken = false; });
document.addEventListener("htmx:sse:error", () => { broken = true; });
document.addEventListener("htmx:sse:close", () => { broken = true; });
document.addEventListener("bye", () => location.reload());
// this session has newer pages like this one: a child's page asks now and then, a teacher's is loaded again
document.addEventListener("enough", () => { if (!find("#live").dataset.part) setTimeout(() => location.reload(), 10000); });

// a move whose answer does not come is not waited for: networks that go away say nothing
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement?.matches?.("[data-move],#wake")) ctx.request.timeout = 8000;
});
// an ask that did not arrive is sent again with the same key: it can only be one move
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement, button = ctx.submitter;
  if (!form?.matches?.("[data-move].is-busy")) return;
  const status = ctx.response?.status || 0;
  if (status > 0 && status < 500) return;
  waits(true);
  setTimeout(() => {
    if (!form.isConnected) return;
    form.classList.remove("is-busy");
    form.requestSubmit(button?.form === form ? button : undefined);
  }, 1500);
});
// a touch that did not arrive is sent again; if the school says no, the next one tries anew
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement, status = ctx.response?.status || 0;
  if (form?.id !== "wake" || (status > 0 && status < 400)) return;
  if (status >= 400 && status < 500) {
    delete form.dataset.sent;
    wokeAt = -1;
    rest();
  } else {
    waits(true);
    setTimeout(() => { const asleep = find(".is-back #wake"); if (asleep) comeBack(asleep); }, 1500);
  }
});
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  if (ctx.response?.status < 500) waits(false);
});

// ---- asking for news when the stream does not bring them

async function poll() {
  const live = find("#live");
  if (live && !table() && live.dataset.part) return pollPage(live);
  if (!live || document.hidden || !table() || table().dataset.next === "over") return;
  const silent = Date.now() - heardAt;
  const waiting = find(".rest--now") || ((!table().dataset.next || find("[data-move].is-busy")) && !playing);
  if (!(broken || heardAt === loadedAt || waiting) || silent < (waiting ? 5000 : 3500)) return;
  try {
    const answer = await fetch(`${live.dataset.part}?seen=${told}`, {
      cache: "no-store", headers: { "HX-Request": "true", ...(etag && { "If-None-Match": etag }) },
    });
    if ([401, 403, 404].includes(answer.status)) location.reload();
    waits(false);
    if (answer.status !== 200) return;
    etag = answer.headers.get("ETag") || "";
    await htmx.swap({ sourceElement: live, target: table(), swap: "outerMorph", text: await answer.text() });
  } catch { broken = true; }
}

/** The same for the pages of a class, where the stream is broken. */
async function pollPage(live) {
  if (document.hidden || !(broken || heardAt === loadedAt) || Date.now() - heardAt < 3500) return;
  try {
    const answer = await fetch(live.dataset.part, { cache: "no-store", headers: { "HX-Request": "true", ...(etag && { "If-None-Match": etag }) } });
    if ([401, 403, 404].includes(answer.status)) location.reload();
    if (answer.status !== 200) return;
    etag = answer.headers.get("ETag") || "";
    await htmx.swap({ sourceElement: live, target: find(live.getAttribute("hx-target")), swap: "outerMorph", text: await answer.text() });
  } catch { broken = true; }
}

/** It has been my turn for a while: the page shows and says so, once. */
function nudgeTurn() {
  const after = Number(table()?.dataset.nudge) * 1000;
  if (!after || !table().dataset.next || table().dataset.next === "over" || playing || document.hidden || find("#rest")) return;
  if (turn.nudged || Date.now() - turn.at < after) return;
  turn.nudged = true;
  table().classList.add("is-nudged");
  sound("turn");
  say("your-turn " + (find("#words")?.dataset.say || ""), find("#words")?.textContent);
  hop(find("#me .pad"));
  setTimeout(() => table()?.classList.remove("is-nudged"), 5000);
}

const IDLE_FOR_WORDS = 9000, IDLE_FOR_HELP = 12000; // ms without a touch

/** After a while without a touch the thing to do is said again, twice at most; then the fish waves,
    calmly, until something is touched: help is there. It never speaks unasked. */
function prompt() {
  const waiting = asking() ? !("found" in question().dataset) : table()?.dataset.next && !playing;
  if (!waiting || document.hidden || find("#board > *")) return;
  const idle = Date.now() - idleSince;
  if (!asking()) find("#fish")?.classList.toggle("is-waving", idle >= IDLE_FOR_HELP);
  if (prompts > 1 || idle < IDLE_FOR_WORDS * (prompts + 1)) return;
  prompts += 1;
  sayAgain();
  if (asking()) hop(find(".q__fish"));
}

function touched() {
  idleSince = Date.now();
  find("#fish")?.classList.remove("is-waving");
}

const loadedAt = heardAt;
addEventListener("online", () => { broken = true; heardAt = 0; waits(false); poll(); });
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { away = true; hurry(); hush(); }
});
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
setInterval(poll, 1000);
setInterval(prompt, 1000);
setInterval(nudgeTurn, 1000);
for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wakeUp, true);
