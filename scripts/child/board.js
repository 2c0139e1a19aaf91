// @ts-check
// The board of asks, which lies over the table. When it is opened for a peek, it closes by itself.

import { empty, find, the } from "./dom.js";
import { focusOn } from "./focus.js";
import { shield } from "./overlay.js";

let shutting = 0; // the timer of a board that closes by itself

export const boardIsOpen = () => Boolean(find("#board > *"));

export function boardOpened() {
  focusOn(find("#shut"));
  const seconds = Number(the("#board").dataset.seconds);
  clearTimeout(shutting);
  if (seconds) shutting = setTimeout(shutBoard, seconds * 1000);
}

export function shutBoard() {
  clearTimeout(shutting);
  if (!boardIsOpen()) return;
  empty("board");
  shield();
  focusOn(find("#line"));
}
