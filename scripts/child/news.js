// @ts-check
// News from the school comes by the stream, and by polling every few seconds while the stream is
// broken or silent.

import { find, page, the } from "./dom.js";
import { hurry } from "./motion.js";
import { waits } from "./network.js";
import { progress } from "./progress.js";
import { reach } from "./reach.js";
import { hasTable, table } from "./table.js";
import { hush } from "./voice.js";

const loadedAt = Date.now();
let heardAt = loadedAt; // when a picture last came by the stream
let broken = false; // the stream failed: the page polls until it is back
let asks = false; // a request is under way; a slow school gets one at a time
let etag = "";

/** How long the stream may be silent before the page polls, in ms. */
const SILENCE = 3500;
const SILENCE_WAITING = 5000;

const neverHeard = () => heardAt === loadedAt;
const silence = () => Date.now() - heardAt;

async function poll() {
  const live = find("#live");
  if (!live || document.hidden) return;
  if (hasTable()) await pollTable();
  else if (live.dataset.part) await pollPage(live);
}

async function pollTable() {
  const { next } = table().dataset;
  if (next === "over") return;
  const mine = next && !find("[data-move].is-busy");
  const waiting = Boolean(find(".rest--now")) || (!mine && !progress.playing);
  if (!broken && !neverHeard() && !waiting) return;
  if (silence() < (waiting ? SILENCE_WAITING : SILENCE)) return;
  await askTable();
}

/** Asks for the table as it is now. */
export function askTable() {
  const live = the("#live");
  return ask(live, `${live.dataset.part}?seen=${progress.told}`, table);
}

/**
 * Asks for the changing part of a page without a table, while its stream is broken or has sent
 * nothing yet.
 * @param {HTMLElement} live
 */
async function pollPage(live) {
  if ((!broken && !neverHeard()) || silence() < SILENCE) return;
  const target = live.getAttribute("data-hx-target") ?? "";
  await ask(live, live.dataset.part ?? "", () => the(target));
}

/**
 * @param {HTMLElement} live
 * @param {string} address
 * @param {() => HTMLElement} target what the answer replaces
 */
async function ask(live, address, target) {
  if (asks) return;
  asks = true;
  try {
    const headers = { "HX-Request": "true", ...(etag && { "If-None-Match": etag }) };
    const answer = await reach(address, { cache: "no-store", headers });
    if ([401, 403, 404, 410].includes(answer.status)) comeAgain();
    waits(false);
    if (answer.status !== 200) return;
    const text = await answer.text();
    await htmx.swap({ sourceElement: live, target: target(), swap: "outerMorph", text });
    etag = answer.headers.get("ETag") || "";
  } catch {
    broken = true;
    waits(true);
  } finally {
    asks = false;
  }
}

/** Reloads a page that is no longer this child's; a shared tablet goes to its first page. */
function comeAgain() {
  if (find("#tablet")) location.assign(page.root ?? "/");
  else location.reload();
}

function streamFailed() {
  broken = true;
}

/**
 * The stream ended because this session has opened as many newer ones as it may: a child's page
 * polls, and a teacher's page reloads.
 */
function streamTaken() {
  if (!the("#live").dataset.part) setTimeout(() => location.reload(), 10000);
}

export function startNews() {
  document.addEventListener("htmx-sse-after-message", () => {
    heardAt = Date.now();
    broken = false;
  });
  document.addEventListener("htmx-sse-error", streamFailed);
  document.addEventListener("htmx-sse-close", streamFailed);
  document.addEventListener("bye", comeAgain);
  document.addEventListener("enough", streamTaken);
  addEventListener("offline", () => waits(true));
  addEventListener("online", () => {
    broken = true;
    heardAt = 0;
    waits(false);
    poll();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return;
    progress.away = true;
    hurry();
    hush();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
  setInterval(poll, 1000);
}
