// The pages before the table: the class code, the four pictures, the shell that fills.

function startDoor() {
  const door = find("#door");
  if (!door) return;
  const code = door.elements.code, shells = all(".door__shell", door), pads = find(".pads", door);
  const { fresh, kept, keptFirst } = door.dataset;
  const length = () => Number(code.value.startsWith(keptFirst) ? kept : fresh);
  const full = () => code.value.length >= length();
  code.type = "hidden"; // typed by the keys of the page from here on
  door.classList.add("is-ready");
  const paint = () => {
    door.classList.toggle("is-long", length() === shells.length);
    find(".door__go", door).hidden = !full();
    shells.forEach((shell, i) => {
      shell.hidden = i >= length();
      shell.textContent = code.value[i] || "";
      shell.classList.toggle("is-set", i < code.value.length);
      shell.classList.toggle("is-next", i === code.value.length);
    });
  };
  const add = (sign) => {
    if (full()) return;
    code.value += sign;
    paint();
    if (full()) setTimeout(() => door.requestSubmit(), 350);
  };
  const back = () => { code.value = code.value.slice(0, -1); paint(); };
  pads.addEventListener("click", (event) => {
    const key = event.target.closest("button");
    if (!key) return;
    event.preventDefault();
    if (key.value) add(key.value);
    else back();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === code || event.ctrlKey || event.metaKey || event.altKey) return;
    const sign = event.key.toUpperCase();
    if (event.key === "Backspace") back();
    else if (sign.length === 1 && page.signs?.includes(sign)) add(sign);
    else if (sign.length === 1 && find(`.key[value="${CSS.escape(sign)}"]`, pads)) add(sign);
  });
  paint();
}

function startPictures() {
  const form = find("#pics");
  if (!form) return;
  const taken = [], pearls = all("#pearls .pearl");
  for (const old of all("input[name^=p]", form)) old.remove(); // here all four are sent together
  const paint = () => {
    pearls.forEach((pearl, i) => {
      pearl.classList.toggle("is-set", i < taken.length);
      pearl.classList.toggle("is-next", i === taken.length);
    });
    find("#pearls").setAttribute("aria-label", `${taken.length} of ${pearls.length} pictures`);
    find("#undo").hidden = !taken.length;
  };
  form.addEventListener("click", (event) => {
    const picture = event.target.closest(".pic");
    if (!picture) return;
    event.preventDefault();
    if (form.matches(".is-still") || taken.length >= pearls.length) return;
    taken.push(picture.value);
    paint();
    if (taken.length < pearls.length) return;
    taken.forEach((value, i) => {
      const field = document.createElement("input");
      form.append(Object.assign(field, { type: "hidden", name: `p${i + 1}`, value }));
    });
    setTimeout(() => form.submit(), 450);
  });
  find("#undo").addEventListener("click", (event) => { event.preventDefault(); taken.pop(); paint(); });
  paint();
}

/** After wrong pictures: a shell fills with water; when it is full the pictures can be tapped again. */
function startFill() {
  const fill = find("#fill"), form = find("#pics");
  if (!fill) return;
  const seconds = Number(fill.dataset.seconds), full = find(".fill__full", fill);
  form?.classList.add("is-still");
  const done = () => { fill.closest(".again-card").remove(); form?.classList.remove("is-still"); sayAgain(); };
  full.animate([{ clipPath: "inset(100% 0 0 0)" }, { clipPath: "inset(0 0 0 0)" }], { duration: seconds * 1000, fill: "both" });
  setTimeout(done, seconds * 1000);
}

/** A page says once what it is about; without a touch before, browsers keep it silent. */
function greet() {
  const first = find("[data-greet]");
  if (!first) return;
  if (document.referrer.startsWith(location.origin)) wake();
  setTimeout(() => { if (!first.dataset.read) { first.dataset.read = ""; sayOf(first); } }, 400);
}

/** Something to start says its name first, as long as somebody listens; then the page goes on. */
function startNamed() {
  for (const form of all("form[data-then-go]")) form.addEventListener("submit", async (event) => {
    if (!awake()) return;
    event.preventDefault();
    if (form.matches(".is-busy")) return;
    form.classList.add("is-busy");
    const longest = new Promise((resolve) => { setTimeout(resolve, 2500); });
    await Promise.race([sayOf(find("[data-say]", form)), longest]);
    form.submit();
  });
}

/** One picture after the other: each is told when it comes. */
function startScenes() {
  if (!find(".scenes")) return;
  addEventListener("hashchange", () => {
    const scene = find(".scene:target") || find(".scene");
    sayOf(find(".scene__words", scene));
    if (byKeys) focusOn(find(".scene__next", scene));
  });
}

document.addEventListener("DOMContentLoaded", () => {
  startDoor();
  startPictures();
  startFill();
  startNamed();
  startScenes();
  refresh();
  greet();
  if (table()) wonder();
});
