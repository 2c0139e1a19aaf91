// Choosing: a card and a player, in either order. It stays in the page until Ask is pressed.
// Words and pictures come from the markup; nothing is made up here. A card may ask for one thing
// (then it stands for it), for two traits of itself, or for one of several other cards.

const table = () => find("#table");
const nothing = () => ({ fan: "", class: "", target: "", traits: [] });
const chosen = { ...nothing(), at: "" }; // at: the move it was chosen at

const fans = () => all("#hand .fan");
const seats = () => all("#ring .seat");
const can = (button) => button && button.getAttribute("aria-disabled") !== "true";
const words = (text) => (text || "").split(" ").filter(Boolean);
const optionsOf = (fan) => words(fan?.dataset.options);
const fanOf = (key) => fans().find((fan) => fan.dataset.fan === key);
const optionOf = (key) => key && document.getElementById("opt-" + key);
const everybody = () => find("#all");

/** Takes over what the markup has chosen; keeps what was chosen here while it may still be asked. */
function readPicks() {
  if (chosen.at !== table().dataset.v) Object.assign(chosen, nothing(), { at: table().dataset.v });
  const pressed = (buttons) => buttons.find((button) => button.getAttribute("aria-pressed") === "true");
  const fan = can(fanOf(chosen.fan)) ? fanOf(chosen.fan) : pressed(fans());
  if (fan?.dataset.fan !== chosen.fan) chosen.traits = [];
  chosen.fan = can(fan) ? fan.dataset.fan : "";
  const options = optionsOf(fan);
  if (options.length === 1) [chosen.class] = options;
  else if (!options.includes(chosen.class)) chosen.class = pressed(all("#opts .opt"))?.value || "";
  if (!options.includes(chosen.class)) chosen.class = "";
  const seat = seats().find((one) => one.value === chosen.target), marked = pressed(seats());
  chosen.target = everybody() ? "all" : can(seat) ? chosen.target : can(marked) ? marked.value : "";
}

const nextPick = () => (!chosen.fan ? "class" : !chosen.class ? "option" : !chosen.target ? "target" : "ask");

const fill = (line, values) => line.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** Shows what is chosen: cards, players, the sentence, and the one next thing. */
function paintPicks() {
  const form = find("#ask");
  if (!form) return;
  const fan = fanOf(chosen.fan), option = optionOf(chosen.class), next = nextPick();
  const seat = everybody() || seats().find((one) => one.value === chosen.target);
  form.elements.class.value = chosen.class;
  form.elements.target.value = chosen.target;
  if (form.elements.bait) form.elements.bait.value = fan?.dataset.code || "";
  for (const one of fans()) one.setAttribute("aria-pressed", String(one === fan));
  for (const one of seats()) {
    one.setAttribute("aria-pressed", String(one === seat));
    one.classList.toggle("is-picked", one === seat);
    one.classList.toggle("is-pick", can(one) && one !== seat);
  }
  paintTraits(fan, next);
  paintOptions(fan, next);
  paintSlot(find(".ask__slot--class"), option, next === "class" || (next === "option" && !find("#traits")), () => {
    find("#what").replaceChildren(...[...option.children].map((face) => face.cloneNode(true)));
  });
  paintSlot(find(".ask__slot--target"), seat, next === "target", (slot) => {
    if (!everybody()) point(find(".ask__face use", slot), "a-" + seat.dataset.animal);
  });
  find("#hand").classList.toggle("is-next", next === "class");
  find("#ring").classList.toggle("is-next", next === "target");
  const text = find("#words"), line = next === "class" && seat && !everybody() ? "only" : next;
  text.textContent = fill(text.dataset[line], { ...option?.dataset, ...seat?.dataset });
  text.dataset.say = fill(text.dataset[line + "Say"], { ...option?.dataset, name: seat?.dataset.say });
  const go = find("#go");
  if (next === "ask") go.removeAttribute("aria-disabled");
  else go.setAttribute("aria-disabled", "true");
}

function paintSlot(slot, full, next, draw) {
  slot.classList.toggle("is-full", Boolean(full));
  slot.classList.toggle("is-next", next);
  if (full) draw(slot);
}

/** The three traits of the chosen card; two of them are what is asked for. */
function paintTraits(fan, next) {
  const row = find("#traits");
  if (!row) return;
  row.classList.toggle("is-next", next === "option");
  const signs = words(fan?.dataset.signs);
  all(".trait", row).forEach((button, i) => {
    button.setAttribute("aria-pressed", String(chosen.traits.includes(i)));
    button.toggleAttribute("aria-disabled", !fan);
    if (!fan) button.setAttribute("aria-disabled", "true");
    if (signs[i]) point(find("use", button), signs[i]);
  });
}

/** The cards that the chosen card may ask for, where they are several. */
function paintOptions(fan, next) {
  const list = find("#opts");
  if (!list || find("#traits")) return;
  const options = optionsOf(fan), open = options.length > 1;
  list.classList.toggle("opts--open", open && next === "option");
  for (const one of list.children) {
    one.hidden = !open || !options.includes(one.value);
    one.setAttribute("aria-pressed", String(one.value === chosen.class));
  }
}

const point = (use, symbol) => use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#" + symbol));

/** A card, one of its traits, another card or a player was tapped: take it, or let it go again. */
function pick(button, byKey) {
  if (!can(button)) return;
  const taken = taking[pickable(button)](button);
  paintPicks();
  const next = nextPick();
  say(find("#words").dataset.say, find("#words").textContent);
  if (byKey && taken) focusOn(({ ask: find("#go"), target: seats().find(can), class: fans().find(can), option: all(".trait,.opt:not([hidden])").find(can) })[next]);
}

const pickable = (button) => ["fan", "seat", "trait", "opt"].find((kind) => button.classList.contains(kind));

const taking = {
  fan(button) {
    const key = button.dataset.fan, options = optionsOf(button);
    chosen.fan = chosen.fan === key ? "" : key;
    chosen.class = chosen.fan && options.length === 1 ? options[0] : "";
    chosen.traits = [];
    return chosen.fan;
  },
  trait(button) {
    const i = all("#traits .trait").indexOf(button), had = chosen.traits.includes(i);
    chosen.traits = had ? chosen.traits.filter((one) => one !== i) : [...chosen.traits, i].slice(-2);
    const key = [...chosen.fan].map((sign, at) => (chosen.traits.includes(at) ? sign : ".")).join("");
    chosen.class = chosen.traits.length === 2 && optionsOf(fanOf(chosen.fan)).includes(key) ? key : "";
    return chosen.class;
  },
  opt(button) {
    chosen.class = chosen.class === button.value ? "" : button.value;
    return chosen.class;
  },
  seat(button) {
    chosen.target = chosen.target === button.value && seats().filter(can).length > 1 ? "" : button.value;
    return chosen.target;
  },
};

const focusOn = (element) => element?.focus({ preventScroll: false });

/** Something was pressed that is not ready: show where to tap. */
function nudge() {
  const next = nextPick();
  const there = { class: fans(), option: all("#traits .trait,#opts .opt:not([hidden])"), target: seats() }[next] || [];
  for (const one of there) if (can(one)) hop(one);
  sayOf(find("#words"));
}

// ---- a sheet of cards: four of them that are alike

const foursOf = (sheet) => words(sheet.dataset.fours).map((four) => four.split("."));

/** A card on a sheet was tapped: it is taken, or put back. Only what can still make a four can be. */
function takeCard(button) {
  const sheet = button.closest(".sheet");
  if (!can(button)) return;
  const taken = all('.single[aria-pressed="true"]', sheet).map((one) => one.value);
  paintSheet(sheet, taken.includes(button.value) ? taken.filter((one) => one !== button.value) : [...taken, button.value]);
}

function paintSheet(sheet, taken) {
  const fours = foursOf(sheet), ready = taken.length === 4;
  const open = new Set(fours.filter((four) => taken.every((card) => four.includes(card))).flat());
  const singles = all(".single", sheet);
  for (const one of singles) {
    const mine = taken.includes(one.value);
    one.setAttribute("aria-pressed", String(mine));
    if (mine || (!ready && open.has(one.value))) one.removeAttribute("aria-disabled");
    else one.setAttribute("aria-disabled", "true");
  }
  find(".sheet__stays b", sheet).textContent = singles.length - taken.length;
  find('[name="cards"]', sheet).value = ready ? taken.join(" ") : "";
  const go = find(".btn--go:not(.sheet__shut)", sheet);
  if (ready) go.removeAttribute("aria-disabled");
  else go.setAttribute("aria-disabled", "true");
  sheet.classList.toggle("is-ready", ready);
}

function shutSheets() {
  const open = all("details.sheet[open]");
  for (const sheet of open) {
    sheet.open = false;
    focusOn(find("summary", sheet));
  }
  return open.length > 0;
}
