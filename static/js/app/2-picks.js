// Choosing: a card and a player, in either order. It stays in the page until Ask is pressed.
// Words and pictures come from the markup; nothing is made up here.

const table = () => find("#table");
const chosen = { class: "", target: "", at: "" }; // at: the move it was chosen at

const fans = () => all("#hand .fan");
const seats = () => all("#ring .seat");
const can = (button) => button && button.getAttribute("aria-disabled") !== "true";
const named = (buttons, value) => buttons.find((button) => button.value === value);

/** Takes over what the markup has chosen; keeps what was chosen here while it may still be asked. */
function readPicks() {
  if (chosen.at !== table().dataset.v) Object.assign(chosen, { class: "", target: "", at: table().dataset.v });
  for (const [what, buttons] of [["class", fans()], ["target", seats()]]) {
    const pressed = buttons.find((button) => button.getAttribute("aria-pressed") === "true");
    const kept = named(buttons, chosen[what]);
    chosen[what] = can(kept) ? chosen[what] : can(pressed) ? pressed.value : "";
  }
}

const nextPick = () => (!chosen.class ? "class" : !chosen.target ? "target" : "ask");

const fill = (line, values) => line.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** Shows what is chosen: cards, players, the sentence, and the one next thing. */
function paintPicks() {
  const form = find("#ask");
  if (!form) return;
  const fan = named(fans(), chosen.class), seat = named(seats(), chosen.target), next = nextPick();
  form.elements.class.value = chosen.class;
  form.elements.target.value = chosen.target;
  for (const one of fans()) one.setAttribute("aria-pressed", String(one === fan));
  for (const one of seats()) {
    one.setAttribute("aria-pressed", String(one === seat));
    one.classList.toggle("is-picked", one === seat);
    one.classList.toggle("is-pick", can(one) && one !== seat);
  }
  paintSlot(find(".ask__slot--class"), fan, next === "class", (slot) => {
    const number = find(".card__n", fan).textContent;
    find(".card__n", slot).textContent = number;
    find(".card", slot).classList.toggle("card--wide", number.length > 1);
    point(find(".card__p use", slot), `p-${number}-${{ r: "warm", b: "cool" }[fan.value[1]] || "dot"}`);
  });
  paintSlot(find(".ask__slot--target"), seat, next === "target", (slot) => {
    point(find(".ask__face use", slot), "a-" + seat.dataset.animal);
  });
  find("#hand").classList.toggle("is-next", next === "class");
  find("#ring").classList.toggle("is-next", next === "target");
  const words = find("#words"), line = next === "class" && seat ? "only" : next;
  words.textContent = fill(words.dataset[line], { ...fan?.dataset, ...seat?.dataset });
  words.dataset.say = fill(words.dataset[line + "Say"], { ...fan?.dataset, name: seat?.dataset.say });
  const go = find("#go");
  if (next === "ask") go.removeAttribute("aria-disabled");
  else go.setAttribute("aria-disabled", "true");
}

function paintSlot(slot, full, next, draw) {
  slot.classList.toggle("is-full", Boolean(full));
  slot.classList.toggle("is-next", next);
  if (full) draw(slot);
}

const point = (use, symbol) => use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#" + symbol));

/** A card or a player was tapped: take it, or let it go again. */
function pick(button, byKey) {
  const what = button.name;
  if (!can(button)) return;
  chosen[what] = chosen[what] === button.value && !only(what) ? "" : button.value;
  paintPicks();
  const next = nextPick();
  say(find("#words").dataset.say, find("#words").textContent);
  if (byKey && chosen[what]) focusOn(next === "ask" ? find("#go") : next === "target" ? seats().find(can) : fans().find(can));
}

const only = (what) => what === "target" && seats().filter(can).length === 1;

const focusOn = (element) => element?.focus({ preventScroll: false });

/** Something was pressed that is not ready: show where to tap. */
function nudge() {
  const next = nextPick();
  for (const one of next === "class" ? fans() : next === "target" ? seats() : []) {
    if (can(one)) hop(one);
  }
  sayOf(find("#words"));
}
