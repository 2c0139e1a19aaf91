// @ts-check
// The key in data-key presses its link or button. Arrow keys step through a replay, for example.

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const at = event.target;
  if (!(at instanceof Element) || at.closest("input, select, textarea, [contenteditable]")) return;
  if (event.key === " " && at.closest("a, button, summary")) return;
  /** @type {HTMLElement | null} */
  const link = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
}

export function startKeys() {
  document.addEventListener("keydown", pressed);
}
