// Playing what happened: the steps that came with a table are shown one after the other over the
// old picture, then the new picture takes its place. The last word is always the server's picture.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const air = () => find("#air");
const queue = []; // pictures that wait to be shown: {steps, text, rests}
let playing = false;
let newest = -1; // number of the newest picture that has arrived
let besides = -1; // how much had happened at its table besides moves
let told = -1; // number of the last move whose steps were taken into the queue
let away = false; // the page was hidden, or its child away, since the last picture: what was missed is not replayed
let moving = new Set(); // animations that a tap may hurry
let rush = signal();

function signal() {
  let fire;
  const fired = new Promise((resolve) => { fire = resolve; });
  return { fired, fire };
}

const pace = () => (queue.length > 1 ? .55 : 1);
const wait = (ms) => Promise.race([new Promise((resolve) => setTimeout(resolve, ms * pace())), rush.fired]);

/** Ends the present step at once. */
function hurry() {
  hush();
  rush.fire();
  for (const motion of moving) motion.finish();
}

function animate(element, frames, options) {
  const motion = element.animate(frames, { fill: "both", ...options, duration: options.duration * pace(), delay: (options.delay || 0) * pace() });
  moving.add(motion);
  return motion.finished.catch(() => {}).finally(() => moving.delete(motion));
}

const hop = (element) => element && !still.matches && animate(element, [
  { transform: "none" }, { transform: "translateY(-14px)", offset: .4 }, { transform: "none" },
], { duration: 420, easing: "ease-out", fill: "none" });

// ---- places

const seatOf = (seat) => find(`#seat-${seat}`) || find("#me");
const isMe = (seat) => String(seat) === table().dataset.me;
const middle = (element) => {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, w: box.width, h: box.height };
};
const padOf = (seat) => middle(find(".pad", seatOf(seat)));
const pondAt = () => { const at = middle(find("#pond")); return { ...at, y: at.y - 6 }; };

/** My fan of what a step is about; in Make Ten the card that was asked with, if there is no other. */
const myFan = (about) => fanOf(about.fan || about.class) || fanOf(about.has);

/** Where the cards of a seat are: my fan of what the step is about, or else among my cards. */
function cardsOf(seat, about) {
  if (!isMe(seat)) return padOf(seat);
  const fan = about && myFan(about);
  if (fan) return middle(fan);
  const hand = find("#hand").getBoundingClientRect();
  return { x: hand.left + hand.width / 2, y: Math.min(hand.top + 90, innerHeight - 60) };
}

function put(element, at, turn = 0, size = 1) {
  air().append(element);
  const box = element.getBoundingClientRect();
  element.style.transform = `translate(${at.x - box.width / 2}px,${at.y - box.height / 2}px) rotate(${turn}deg) scale(${size})`;
  return element;
}

const placed = (element, at, turn, size) => {
  const w = element.offsetWidth ?? element.clientWidth, h = element.offsetHeight ?? element.clientHeight; // a drawing has no offsets
  return `translate(${at.x - w / 2}px,${at.y - h / 2}px) rotate(${turn}deg) scale(${size})`;
};

/** A card flies from one place to another, in an arc. */
function fly(card, from, to, { delay = 0, size = 1, end = .7, turn = 0, time = 700, there = false } = {}) {
  put(card, from);
  if (still.matches) { card.style.transform = placed(card, to, turn, 1); return wait(900); }
  const over = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - 50 + Math.abs(from.y - to.y) * .3 };
  setTimeout(() => sound("slide"), delay);
  return animate(card, [
    { transform: placed(card, from, there ? 0 : -8, size * (there ? 1 : .6)), opacity: there ? 1 : 0 },
    { transform: placed(card, from, there ? 0 : -4, size), opacity: 1, offset: .12 },
    { transform: placed(card, over, turn + 6, size * 1.1), opacity: 1, offset: .55 },
    { transform: placed(card, to, turn, end), opacity: 1 },
  ], { duration: time, delay, easing: "cubic-bezier(.45,.05,.35,1)" });
}

// ---- what is seen while a step is told

/** Beside who speaks, or above where that would hide somebody; what was said there before goes. */
function bubble(step, seat) {
  const balloon = find(".say", step)?.cloneNode(true);
  if (!balloon) return;
  for (const old of all(`[data-by="${seat}"]`, air())) old.remove();
  balloon.dataset.by = seat;
  const pad = padOf(seat);
  air().append(balloon);
  const { offsetWidth: w, offsetHeight: h } = balloon, gap = pad.w / 2 + 6, level = pad.y - h / 2 - 8;
  const over = Math.min(Math.max(pad.x - w / 2, 6), innerWidth - w - 6);
  const places = {
    r: new DOMRect(pad.x + gap, level, w, h),
    l: new DOMRect(pad.x - gap - w, level, w, h),
    up: new DOMRect(over, Math.max(pad.y - pad.h / 2 - h - 12, 6), w, h),
  };
  const faces = all(".seat .pad").filter((one) => !seatOf(seat).contains(one)).map((one) => one.getBoundingClientRect());
  const side = isMe(seat) ? "up" : ["r", "l"].find((one) => fits(places[one], faces)) || "up", at = places[side];
  balloon.classList.add("say--" + side);
  for (const old of all(".say", air())) if (old !== balloon && meet(old.getBoundingClientRect(), at)) old.remove();
  balloon.style.translate = `${at.x}px ${at.y}px`;
  if (!still.matches) animate(balloon, [{ scale: .6, opacity: 0 }, { scale: 1, opacity: 1 }], { duration: 420, easing: "cubic-bezier(.3,1.45,.5,1)" });
}

const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const fits = (box, others) => box.left >= 6 && box.right < innerWidth - 6 && !others.some((other) => meet(other, box));

/** The sentence in pictures, in the bar, for ears and for screen readers. */
function tell(step, spoken = true) {
  const bar = find("#tell"), words = find(".told", step);
  bar.replaceChildren(...all(".step__bar > *", step).map((part) => part.cloneNode(true)));
  if (words) {
    bar.append(words.cloneNode(true));
    find("#heard").textContent = words.textContent;
  }
  bar.hidden = !bar.children.length;
  return spoken && words ? sayOf(words) : Promise.resolve();
}

/** The numbers that are true after the step. */
function count(step) {
  const hands = words(step.dataset.hands); // none where nobody can tell from which pile they went
  hands.forEach((number, seat) => {
    const badge = find(`#seat-${seat} .seat__n`), backs = find(`#seat-${seat} .seat__backs use`);
    if (badge) badge.textContent = number;
    if (backs && number !== "0") point(backs, "backs-" + Math.min(9, number));
  });
  const pond = Number(step.dataset.pond), drawn = find(".pond__cards use");
  find(".pond__n").textContent = pond;
  if (drawn?.getAttribute("href").includes("#pond-") && pond) point(drawn, "pond-" + (pond > 12 ? "many" : pond > 5 ? "some" : pond > 1 ? "few" : "one"));
}

function light(seat, look) {
  for (const one of all("." + look, table())) one.classList.remove(look);
  for (const one of [seat].flat()) seatOf(one).classList.add(look);
}

const cards = (step) => all(".step__cards .card", step).map((card) => card.cloneNode(true));

/** A line is cast from a seat into the pond, the hook dips, water rings. */
async function cast(seat) {
  const from = padOf(seat), to = pondAt();
  if (still.matches) return;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.classList.add("cast");
  path.setAttribute("d", `M${from.x} ${from.y - 20}C${(from.x * 2 + to.x) / 3} ${to.y - 190} ${to.x} ${to.y - 230} ${to.x} ${to.y - 40}`);
  for (const [name, value] of [["fill", "none"], ["stroke", "#fffaf0"], ["stroke-width", "2.5"], ["stroke-linecap", "round"], ["pathLength", "1"], ["stroke-dasharray", "1"]]) path.setAttribute(name, value);
  svg.append(path);
  air().append(svg);
  const hook = find("#hooks").content.firstElementChild.cloneNode(true), rings = document.createElement("i");
  rings.className = "rings";
  animate(path, [{ strokeDashoffset: 1 }, { strokeDashoffset: 0 }], { duration: 520, easing: "ease-out" });
  put(hook, { x: to.x, y: to.y - 150 });
  await animate(hook, [
    { transform: placed(hook, { x: to.x, y: to.y - 190 }, 0, 1), opacity: 0 },
    { transform: placed(hook, { x: to.x, y: to.y - 34 }, 0, 1), opacity: 1 },
  ], { duration: 620, easing: "cubic-bezier(.45,.05,.35,1)" });
  sound("drop");
  put(rings, { x: to.x, y: to.y + 6 });
  animate(rings, [{ transform: placed(rings, to, 0, .3), opacity: .9 }, { transform: placed(rings, to, 0, 1.5), opacity: 0 }], { duration: 900, easing: "ease-out" });
  await wait(260);
}

/** A card comes up out of the pond; a face shows itself by turning over. */
async function rise(card, face) {
  const at = { ...pondAt(), y: pondAt().y - 10 };
  put(card, at);
  card.classList.add("card--glow");
  if (still.matches) { if (face) card.replaceWith(put(face, at)); return face || card; }
  await animate(card, [{ transform: placed(card, { ...at, y: at.y + 46 }, -7, .7), opacity: 0 }, { transform: placed(card, at, -4, 1.15), opacity: 1 }], { duration: 420, easing: "cubic-bezier(.2,.8,.3,1)" });
  return face ? turnOver(card, face, at) : card;
}

async function turnOver(card, face, at) {
  sound("slide");
  const flat = (element) => placed(element, at, -4, 1.15) + " scaleX(.02)";
  await animate(card, [{ transform: placed(card, at, -4, 1.15) }, { transform: flat(card) }], { duration: 160, easing: "ease-in" });
  face.classList.add("card--glow");
  put(face, at);
  card.remove();
  await animate(face, [{ transform: flat(face) }, { transform: placed(face, at, 0, 1.25) }], { duration: 200, easing: "ease-out" });
  return face;
}

function makeBack() {
  const back = document.createElement("span");
  back.className = "card card--back";
  return back;
}

/** I fish myself: the pond is lit until it is tapped, or for a while. */
async function tapPond() {
  const pond = find("#pond"), bar = find("#tell"), words = document.createElement("p");
  words.className = "told";
  words.textContent = pond.dataset.words;
  bar.replaceChildren(find("#hooks").content.lastElementChild.cloneNode(true), words);
  bar.hidden = false;
  find("#heard").textContent = words.textContent;
  pond.classList.add("is-now");
  say(pond.dataset.say, pond.dataset.words);
  await wait(4000);
  pond.classList.remove("is-now");
}

/** Somebody's boat; mine carries the cards I caught. Null in games without boats. */
function boatOf(seat) {
  const boat = find(".boat", seatOf(seat));
  return boat && boat.checkVisibility() ? middle(boat) : null;
}

const shelfOf = (seat) => (isMe(seat) ? middle(find("#shelf") || find("#me")) : padOf(seat));

/** A wish came true: it rises over the pond, for a moment that everybody sees. */
async function wish(at) {
  const star = find("#hooks").content.querySelector(".wish").cloneNode(true);
  sound("wish");
  put(star, { x: at.x, y: at.y - 150 });
  if (still.matches) return;
  await animate(star, [
    { transform: placed(star, { x: at.x, y: at.y - 20 }, 0, .3), opacity: 0 },
    { transform: placed(star, { x: at.x, y: at.y - 150 }, -6, 1.25), opacity: 1, offset: .6 },
    { transform: placed(star, { x: at.x, y: at.y - 140 }, 0, 1.1), opacity: 1 },
  ], { duration: 900, easing: "cubic-bezier(.2,.8,.3,1)" });
}

/** The backs of somebody's hand, spread out over the pond to fish from. */
function spread(seat) {
  const at = pondAt(), number = Math.min(Number(find(".seat__n", seatOf(seat))?.textContent || all("#hand .card").length) || 1, 9);
  const gap = Math.min(64, (innerWidth - 120) / number);
  return Array.from({ length: number }, (_, i) => {
    const off = i - (number - 1) / 2;
    return put(makeBack(), { x: at.x + off * gap, y: at.y - 10 + Math.abs(off) * 6 }, off * 5, 1.1);
  });
}

/** I fish in a hand: any back may be tapped, chance has decided already. After a while one offers itself. */
async function tapBack(backs) {
  const bar = find("#tell"), line = document.createElement("p"), pond = find("#pond");
  line.className = "told";
  line.textContent = "Take one!";
  bar.replaceChildren(find("#hooks").content.lastElementChild.cloneNode(true), line);
  bar.hidden = false;
  find("#heard").textContent = line.textContent;
  say("take-one", line.textContent);
  pond.classList.add("is-now");
  let taken = null;
  const choose = (event) => {
    taken = backs.find((back) => {
      const box = back.getBoundingClientRect();
      return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    }) || taken;
  };
  document.addEventListener("pointerdown", choose, true);
  await wait(5000);
  document.removeEventListener("pointerdown", choose, true);
  pond.classList.remove("is-now");
  return taken || backs[Math.floor(backs.length / 2)];
}

// ---- the steps, by kind

/** Steps that only some games have. */
const rare = {
  async thought({ seat, step }) {
    clearAir();
    bubble(step, seat);
    await Promise.all([tell(step), wait(1600)]);
    clearAir();
  },
  async bait({ seat, other, step }) {
    const card = cards(step)[0], at = padOf(other), from = cardsOf(seat, { fan: step.dataset.fan });
    const talking = tell(step);
    await fly(card, isMe(seat) ? from : padOf(seat), isMe(other) ? pondAt() : at, { end: isMe(other) ? 1.4 : .6 });
    await Promise.all([talking, wait(isMe(other) ? 1600 : 500)]);
    await fly(card, isMe(other) ? pondAt() : at, isMe(seat) ? from : padOf(seat), { end: .6, there: true });
    card.remove();
  },
  async howmany({ seat, step }) {
    bubble(step, seat);
    sound("turn");
    await Promise.all([tell(step), wait(1000)]);
  },
  async named({ seat, step }) {
    bubble(step, seat);
    await Promise.all([tell(step), wait(900)]);
  },
  async picked({ seat, other, step, about }) {
    clearAir();
    const mine = isMe(seat), backs = spread(other);
    const back = mine ? await tapBack(backs) : backs[Math.floor(backs.length / 2)];
    const talking = mine ? null : tell(step), from = middle(back), face = cards(step).find((card) => !card.classList.contains("card--back"));
    clearAir(back);
    sound("slide");
    const card = face && !still.matches ? await turnOver(back, face, from) : back;
    count(step);
    if (mine) await Promise.all([tell(step), wait(900)]);
    await fly(card, from, cardsOf(seat, about), { end: mine ? 1.2 : .55, size: 1.2, there: true });
    await talking;
    clearAir();
  },
  async replaced({ seat, step, about }) {
    const card = cards(step)[0];
    await fly(card, pondAt(), cardsOf(seat, about), { end: isMe(seat) ? 1.2 : .55 });
    count(step);
    await Promise.all([isMe(seat) ? tell(step) : null, wait(300)]);
    clearAir();
  },
  async hidden({ step }) {
    clearAir();
    await Promise.all([tell(step), wait(900)]);
  },
  async layoff({ seat, step, about }) {
    const card = cards(step)[0], shelf = shelfOf(seat), talking = tell(step);
    await fly(card, cardsOf(seat, about), { x: pondAt().x, y: pondAt().y - 10 }, { end: 1.2 });
    count(step);
    await Promise.all([talking, wait(600)]);
    await fly(card, pondAt(), shelf, { end: .3, there: true });
    clearAir();
  },
  async baited({ seat, step }) {
    const talking = tell(step), from = boatOf(seat) || padOf(seat), to = cardsOf(seat);
    await Promise.all(cards(step).map((card, i) => fly(card, from, { x: to.x + (isMe(seat) ? i * 60 - 120 : 0), y: to.y }, { delay: i * 150, end: isMe(seat) ? 1.1 : .5 })));
    await Promise.all([talking, wait(400)]);
    clearAir();
  },
  async declared({ seat, step }) {
    clearAir();
    bubble(step, seat);
    await Promise.all([tell(step), wait(1600)]);
  },
  claimed: (what) => shows.book(what),
  async paid({ seat, step }) {
    await fly(cards(step)[0], pondAt(), boatOf(seat) || cardsOf(seat), { end: .6 });
    await Promise.all([tell(step), wait(300)]);
    clearAir();
  },
  async lost({ step }) {
    clearAir();
    const lost = find(".lost"), at = lost ? middle(lost) : pondAt(), turned = [];
    for (const [i, face] of cards(step).entries()) {
      const back = put(makeBack(), at), there = { x: pondAt().x + i * 80, y: pondAt().y - 10 };
      await fly(back, at, there, { end: 1.2, there: true });
      turned.push(still.matches ? (back.replaceWith(put(face, there)), face) : await turnOver(back, face, there));
    }
    lost?.classList.add("is-gone");
    await Promise.all([tell(step), wait(1600)]);
    clearAir();
  },
};
for (const kind of ["retired", "left", "passed"]) {
  rare[kind] = async ({ seat, step }) => {
    hop(find(".pad", seatOf(seat)));
    await Promise.all([tell(step), wait(700)]);
  };
}

const shows = {
  async asked({ seat, other, step }) {
    air().replaceChildren();
    light(other ?? seats().map((one) => one.value), "is-picked");
    const mine = isMe(seat);
    bubble(step, seat);
    hop(find(".pad", seatOf(seat)));
    await Promise.all([tell(step, !mine), wait(mine ? 800 : 1500)]);
  },
  async gave({ seat, other, step, about }) {
    bubble(step, seat);
    sound("catch");
    const talking = tell(step), from = cardsOf(seat, about), to = boatOf(other) || cardsOf(other, about);
    await wait(500);
    if (isMe(seat)) myFan(about)?.classList.add("is-gone");
    await Promise.all(cards(step).map((card, i) => fly(card, from, { x: to.x + i * 14, y: to.y }, { delay: i * 150, turn: i * 5, end: isMe(other) ? 1.2 : .6 })));
    count(step);
    hop(find(".pad", seatOf(other)));
    await Promise.all([talking, wait(600)]);
    clearAir();
  },
  async gofish({ seat, step }) {
    bubble(step, seat);
    sound("gofish");
    await Promise.all([tell(step), wait(1200)]);
  },
  async fished({ seat, step, next, about }) {
    const mine = isMe(seat), lucky = next?.dataset.kind === "lucky";
    clearAir();
    if (mine) await tapPond();
    const talking = mine ? null : tell(step);
    await cast(seat);
    const face = cards(step).find((card) => !card.classList.contains("card--back"));
    const card = await rise(makeBack(), lucky ? null : face);
    count(step);
    if (lucky) { card.dataset.held = ""; return; }
    if (mine) await Promise.all([tell(step), wait(900)]);
    const to = cardsOf(seat, about);
    card.classList.remove("card--glow");
    await fly(card, { ...pondAt(), y: pondAt().y - 10 }, to, { end: mine ? 1.2 : .55, size: 1.2, there: true });
    await talking;
    clearAir();
  },
  async lucky({ seat, step, about }) {
    const held = find("[data-held]", air()), face = cards(step)[0], at = pondAt();
    sound("catch");
    const shown = held && !still.matches ? await turnOver(held, face, at) : put(face, at);
    clearAir(shown);
    if (find(".pot", table())) await wish(at);
    await Promise.all([tell(step), wait(1300)]);
    for (const star of all(".wish", air())) star.remove();
    await fly(shown, { ...at, y: at.y - 10 }, cardsOf(seat, about), { end: isMe(seat) ? 1.2 : .6, size: 1.2, there: true });
    clearAir();
  },
  async book({ seat, step, about }) {
    clearAir();
    const talking = tell(step), from = cardsOf(seat, about), at = pondAt(), four = cards(step);
    myFan(about)?.classList.toggle("is-gone", isMe(seat));
    await Promise.all(four.map((card, i) => fly(card, from, { x: at.x + (i - (four.length - 1) / 2) * 62, y: at.y - 10 + Math.abs(i - (four.length - 1) / 2) * 8 }, { delay: i * 120, turn: (i - (four.length - 1) / 2) * 9, end: 1.2 })));
    sound("book");
    for (const card of four) card.classList.add("card--glow");
    hop(find(".pad", seatOf(seat)));
    await Promise.all([talking, wait(1100)]);
    const shelf = shelfOf(seat);
    if (!still.matches) await Promise.all(four.map((card) => animate(card, [{}, { transform: placed(card, shelf, 0, .3), opacity: .2 }], { duration: 520, easing: "ease-in" })));
    count(step);
    clearAir();
  },
  async refilled({ seat, step }) {
    const talking = tell(step), from = pondAt(), to = cardsOf(seat);
    await Promise.all(cards(step).map((card, i) => fly(card, from, { x: to.x + (isMe(seat) ? i * 60 - 120 : 0), y: to.y }, { delay: i * 150, end: isMe(seat) ? 1.1 : .55 })));
    count(step);
    await Promise.all([talking, wait(400)]);
    clearAir();
  },
  ...rare,
  async turn({ seat, other, step }) {
    clearAir();
    const lily = find(".pad__lily", seatOf(seat)), to = padOf(other), from = lily && middle(lily);
    light(other, "is-turn");
    if (isMe(other)) sound("turn");
    if (from && !still.matches) {
      const flower = lily.cloneNode(true);
      flower.setAttribute("class", "lilyfly");
      lily.remove();
      const land = { x: to.x + to.w * .36, y: to.y - to.h * .34 };
      put(flower, from);
      await animate(flower, [
        { transform: placedBox(flower, from) }, { transform: placedBox(flower, { x: (from.x + land.x) / 2, y: Math.min(from.y, land.y) - 40 }), offset: .5 }, { transform: placedBox(flower, land) },
      ], { duration: 620, easing: "ease-in-out" });
    }
    if (isMe(other)) await Promise.all([tell(step), wait(700)]);
  },
  async over({ step }) {
    clearAir();
    await Promise.all([tell(step), wait(1400)]);
  },
};

const placedBox = (element, at) => {
  const box = element.getBoundingClientRect();
  return `translate(${at.x - box.width / 2}px,${at.y - box.height / 2}px)`;
};
const clearAir = (keep) => { for (const one of [...air().children]) if (one !== keep) one.remove(); };

async function show(step, next) {
  rush = signal();
  const { kind, seat, other } = step.dataset;
  try {
    await shows[kind]({ step, next, seat, other, about: step.dataset });
  } catch (error) {
    console.error(error); // a step that cannot be shown is skipped: the picture comes anyway
    clearAir();
  }
}

// ---- pictures arrive: by an answer, by the stream, by asking

/** Whether a picture may be shown now; if not, it waits until what happened before it was played. */
function arrive(next, text) {
  const v = Number(next.dataset.v), w = Number(next.dataset.w);
  if (v < newest || w < besides) return false; // an older picture came late
  besides = w;
  let steps = all("#steps > li", next).filter((step) => Number(step.dataset.seq) > told && shows[step.dataset.kind]);
  newest = v;
  told = Math.max(told, v);
  if (away && !document.hidden) { // back again: at most the last move, not minutes of them
    const last = steps.at(-1)?.dataset.seq;
    steps = steps.filter((step) => step.dataset.seq === last);
    away = false;
  }
  if (!playing && !asking() && (!steps.length || document.hidden)) return true;
  cover(next);
  queue.push({ steps, text, rests: Boolean(find(".rest--now", next)) });
  play();
  return false;
}

async function play() {
  if (playing || asking() || !queue.length) return;
  playing = true;
  let over = false;
  while (queue.length) {
    const { steps, text, rests } = queue.shift();
    for (const [i, step] of steps.entries()) {
      await calm();
      if (document.hidden || away || !table().classList.contains("table")) break;
      table().classList.add("is-playing");
      await show(step, steps[i + 1]);
    }
    over ||= steps.some((step) => step.dataset.kind === "over");
    await calm();
    clearAir();
    if (rests && queue.length) continue; // the class went on meanwhile
    await htmx.swap({ sourceElement: find("#live"), target: table(), swap: "outerMorph", text, played: true });
    if (queue.length && !over && momentNow() === "waiting") await wonder(); // else after the last
    if (queue.length) table().classList.add("is-playing");
  }
  playing = false;
  if (over) await tally();
  refresh();
  wonder();
}

/** What is taken from a row, step by step, and what is left. */
async function workOut(row) {
  const sum = find(".endsum", row);
  if (sum) {
    rush = signal();
    sum.classList.add("is-counted");
    sound("drop");
    await Promise.all([sayOf(sum), wait(1200)]);
    for (const book of all(".endrow__book--taken", row).reverse()) {
      book.classList.add("is-taken");
      sound("slide");
      await wait(450);
    }
  }
  find(".endrow__n", row).classList.add("is-counted");
  if (sum) await Promise.all([say(sum.dataset.totalSay), wait(700)]);
}

/** The end: everybody's books counted one by one, in seat order, aloud. */
async function tally() {
  const list = find("#tally");
  if (!list) return;
  playing = true;
  list.classList.add("is-counting");
  for (const row of list.children) {
    row.classList.add("is-now");
    for (const book of all(".endrow__book", row)) {
      rush = signal();
      book.classList.add("is-counted");
      sound("tap");
      await Promise.all([say("n-" + book.dataset.count), wait(620)]);
    }
    await workOut(row);
    find("#heard").textContent = row.getAttribute("aria-label");
    await wait(350);
    row.classList.remove("is-now");
  }
  list.classList.remove("is-counting");
  playing = false;
  sound("book");
  sayOf(find("#made"));
}

htmx.registerExtension("newest", {
  htmx_before_swap(source, { ctx, tasks }) {
    const task = tasks.find((one) => one.target?.id === "table");
    const next = task && !ctx.played && find("#table", task.fragment);
    // the stream begins with the picture that is there already: what was opened stays open
    if (next && source?.id === "live" && next.dataset.v === table().dataset.v && next.dataset.w === table().dataset.w) return false;
    if (next && !arrive(next, ctx.text)) return false;
  },
  htmx_before_morph_node(old, { newNode }) {
    if (old.id === "table" && Number(newNode.dataset?.v) < Number(old.dataset.v)) return false;
  },
});
