// Questions over the pond. When the page has shown what happened it asks the server, once for each
// own turn, once for each wait and at the end. While a question is open the table stands still; what
// happens there meanwhile is played afterwards.

let wondered = ""; // the moment the server was asked about last: turn, waiting or over
let shownAt = 0; // when the question could be seen first
let shut = null; // {done, fire}: resolved when the question is gone

const question = () => find("#question");
const asking = () => Boolean(find("#question > *"));
const momentNow = () => table().dataset.next && (table().dataset.next === "over" ? "over" : "turn") || "waiting";

/** Asks the server for a question at this moment; ends when there is none, or when it is over. */
async function wonder() {
  const form = find("#wonder");
  if (asking()) { await openQuestion(); return; }
  if (!form || document.hidden || find("#rest") || momentNow() === wondered) return;
  wondered = momentNow();
  form.elements.seen.value = table().dataset.v;
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { "HX-Request": "true" } });
    if (answer.status !== 200) return;
    await htmx.swap({ sourceElement: form, target: question(), swap: "outerHTML", text: await answer.text() });
  } catch { return; } // no question is no harm
  await openQuestion();
}

/** The question is there: say it, and wait until it is answered or left. */
function openQuestion() {
  if (shut) return shut.fired;
  if (!asking()) return Promise.resolve();
  shut = signal();
  shownAt = Date.now();
  rest();
  sayQuestion();
  return shut.fired;
}

/** Says what the panel says now, shows what is shown for a moment only, and counts what is counted. */
async function sayQuestion() {
  const panel = find("#q"), brief = find(".q__one--brief", panel);
  const first = find(".pick:not(:disabled),.take input:not(:disabled)", panel);
  focusOn((byKeys && first) || panel);
  paintGiving();
  brief?.classList.add("is-shut");
  await sayOf(find("#q-words"));
  if (brief?.isConnected) {
    brief.classList.remove("is-shut");
    await pause(2000);
    brief.classList.add("is-shut");
  }
  for (const nth of all(".q__nth", panel)) {
    if (!nth.isConnected) return;
    hop(nth.parentElement);
    sound("tap");
    await Promise.all([say("n-" + nth.textContent), pause(450)]);
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A new panel has come: another step of it, the joy at its end, or nothing any more. */
async function questionChanged() {
  if (!shut) return;
  if (!asking()) { shutQuestion(); return; }
  if (!("found" in question().dataset)) { sayQuestion(); return; }
  sound("book");
  hop(find(".q__fish"));
  hop(find(".pick.is-right"));
  const panel = find("#q");
  await Promise.all([sayOf(find("#q-words")), pause(1500)]);
  if (panel.isConnected) shutQuestion();
}

function shutQuestion() {
  const empty = document.createElement("div");
  empty.id = "question";
  question().replaceWith(empty);
  rest();
  const over = shut;
  shut = null;
  over?.fire();
  if (playing) return;
  refresh();
  if (queue.length) play();
  else sayAgain();
}

document.addEventListener("click", (event) => {
  if (find("#question[data-found]")?.contains(event.target) && event.target.closest("#q-on")) {
    event.preventDefault();
    shutQuestion();
  }
}, true);

document.addEventListener("change", (event) => {
  if (!event.target.matches?.(".take input")) return;
  sound("slide");
  paintGiving();
});

/** As many cards as are taken lie apart; with none there is nothing to give. */
function paintGiving() {
  const go = find("#q-give");
  if (!go) return;
  if (find(".take input:checked")) go.removeAttribute("aria-disabled");
  else go.setAttribute("aria-disabled", "true");
}

document.addEventListener("submit", (event) => {
  const took = event.target.elements?.took;
  if (took) took.value = Math.max(0, Date.now() - shownAt);
}, true);

document.addEventListener("keydown", (event) => {
  if (!asking()) return;
  if (event.key === "Escape") { find("#q-on").click(); event.stopPropagation(); }
  const here = event.target.closest?.(".pick,.take");
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!here || !step) return;
  const row = here.matches(".take") ? all(".take input") : all(".pick:not(:disabled)");
  const at = row.indexOf(here.matches(".take") ? find("input", here) : here);
  focusOn(row[(at + step + row.length) % row.length]);
  event.preventDefault();
});
