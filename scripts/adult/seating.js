// @ts-check
// Lets a teacher drag a child's face to a seat, with a mouse or a finger. Without a script, tapping
// the child and then the seat does the same.

/** A finger that drags a child this close to the edge of the screen, in px, scrolls the page. */
const EDGE = 60;

/** @type {{ child: HTMLElement, x: number, y: number } | null} */
let held = null; // the child that a finger drags, and where the drag began

/**
 * @param {EventTarget | Element | null | undefined} at
 * @param {string} query
 * @returns {HTMLElement | null}
 */
const closest = (at, query) => (at instanceof Element ? at.closest(query) : null);

/**
 * Sends the form that puts this child on that seat.
 * @param {string} child
 * @param {HTMLElement} seat
 */
function put(child, seat) {
  const form = document.getElementById("drop");
  if (!(form instanceof HTMLFormElement)) return;
  for (const [name, value] of Object.entries({ child, ...pick(seat) })) {
    const input = form.elements.namedItem(name);
    if (input instanceof HTMLInputElement) input.value = value;
  }
  form.requestSubmit();
}

/** @param {HTMLElement} seat */
const pick = ({ dataset: { table = "", seat = "" } }) => ({ table, seat });

/**
 * Marks the seat that the child would be put on.
 * @param {HTMLElement | null} [seat]
 */
function mark(seat) {
  for (const old of document.querySelectorAll(".seatplace.is-over"))
    old.classList.remove("is-over");
  seat?.classList.add("is-over");
}

// ---- with a mouse

/** @param {DragEvent} event */
function dragStarted(event) {
  const child = closest(event.target, "[data-child]");
  if (child) event.dataTransfer?.setData("text/plain", child.dataset.child ?? "");
}

/** @param {DragEvent} event */
function dragged(event) {
  const seat = closest(event.target, ".seatplace");
  if (!seat) return;
  event.preventDefault();
  seat.classList.toggle("is-over", event.type === "dragover");
  if (event.type === "drop") put(event.dataTransfer?.getData("text/plain") ?? "", seat);
}

// ---- with a finger, which drags a child by its face; beside the face the page scrolls as usual

/** @param {PointerEvent} event */
function fingerDown(event) {
  if (event.pointerType === "mouse") return;
  const child = closest(closest(event.target, ".seatkid .pad"), ".seatkid");
  if (child) held = { child, x: event.pageX, y: event.pageY };
}

/** @param {PointerEvent} event */
function fingerMoved(event) {
  if (!held) return;
  held.child.classList.add("is-held");
  held.child.style.translate = `${event.pageX - held.x}px ${event.pageY - held.y}px`;
  mark(seatUnder(event));
  if (event.clientY < EDGE) scrollBy(0, -EDGE / 4);
  else if (event.clientY > innerHeight - EDGE) scrollBy(0, EDGE / 4);
}

/** @param {PointerEvent} event */
function fingerUp(event) {
  if (!held) return;
  const { child } = held;
  const moved = child.matches(".is-held") && event.type === "pointerup";
  const seat = moved ? seatUnder(event) : null;
  held = null;
  child.classList.remove("is-held");
  child.style.translate = "";
  mark();
  if (seat) put(child.dataset.child ?? "", seat);
}

/** @param {PointerEvent} event */
const seatUnder = (event) =>
  closest(document.elementFromPoint(event.clientX, event.clientY), ".seatplace");

export function startSeating() {
  document.addEventListener("dragstart", dragStarted);
  document.addEventListener("dragover", dragged);
  document.addEventListener("dragleave", dragged);
  document.addEventListener("drop", dragged);
  document.addEventListener("pointerdown", fingerDown);
  document.addEventListener("pointermove", fingerMoved);
  document.addEventListener("pointerup", fingerUp);
  document.addEventListener("pointercancel", fingerUp);
}
