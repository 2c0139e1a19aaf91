/* Pages of adults: everything works without this; it adds the arrow keys, printing, and keeps the
   present move of a replay in sight. */
(() => {
  'use strict';
  const press = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.target;
    if (at.closest('input, select, textarea, [contenteditable]')) return;
    if (event.key === ' ' && at.closest('a, button, summary')) return;
    const link = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!link) return;
    event.preventDefault();
    link.click();
  };
  const show = () => {
    for (const button of document.querySelectorAll('[data-print]')) button.hidden = false;
    const list = document.querySelector('[data-keep]');
    const now = list && list.querySelector('[aria-current]');
    if (now) list.scrollTop = now.offsetTop - (list.clientHeight - now.offsetHeight) / 2;
  };
  document.addEventListener('keydown', press);
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-print]')) window.print();
  });
  // a child's face is dragged to a seat; tapping the child and then the seat does the same
  const place = (event) => event.target.closest?.('.seatplace');
  document.addEventListener('dragstart', (event) => {
    const child = event.target.closest?.('[data-child]');
    if (child) event.dataTransfer.setData('text/plain', child.dataset.child);
  });
  const put = (child, seat) => {
    const form = document.getElementById('drop');
    form.elements.child.value = child;
    form.elements.table.value = seat.dataset.table;
    form.elements.seat.value = seat.dataset.seat;
    form.requestSubmit();
  };
  for (const kind of ['dragover', 'dragleave', 'drop']) document.addEventListener(kind, (event) => {
    const seat = place(event);
    if (!seat) return;
    event.preventDefault();
    seat.classList.toggle('is-over', kind === 'dragover');
    if (kind === 'drop') put(event.dataTransfer.getData('text/plain'), seat);
  });
  // a finger takes a child by its face; beside it the page scrolls as ever
  const edge = 60; // px: so near to the edge of the screen the page goes along
  let held = null;
  const under = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest('.seatplace');
  const over = (seat) => {
    for (const old of document.querySelectorAll('.seatplace.is-over')) old.classList.remove('is-over');
    seat?.classList.add('is-over');
  };
  document.addEventListener('pointerdown', (event) => {
    const child = event.pointerType !== 'mouse' && event.target.closest?.('.seatkid .pad')?.closest('.seatkid');
    if (child) held = { child, x: event.pageX, y: event.pageY };
  });
  document.addEventListener('pointermove', (event) => {
    if (!held) return;
    held.child.classList.add('is-held');
    held.child.style.translate = `${event.pageX - held.x}px ${event.pageY - held.y}px`;
    over(under(event));
    if (event.clientY < edge) scrollBy(0, -edge / 4);
    else if (event.clientY > innerHeight - edge) scrollBy(0, edge / 4);
  });
  for (const kind of ['pointerup', 'pointercancel']) document.addEventListener(kind, (event) => {
    if (!held) return;
    const { child } = held, seat = child.matches('.is-held') && kind === 'pointerup' && under(event);
    held = null;
    child.classList.remove('is-held');
    child.style.translate = '';
    over(null);
    if (seat) put(child.dataset.child, seat);
  });
  document.addEventListener('htmx:after:swap', show);
  show();
})();
