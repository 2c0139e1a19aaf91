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
  for (const kind of ['dragover', 'dragleave', 'drop']) document.addEventListener(kind, (event) => {
    const seat = place(event);
    if (!seat) return;
    event.preventDefault();
    seat.classList.toggle('is-over', kind === 'dragover');
    if (kind !== 'drop') return;
    const form = document.getElementById('drop');
    form.elements.child.value = event.dataTransfer.getData('text/plain');
    form.elements.table.value = seat.dataset.table;
    form.elements.seat.value = seat.dataset.seat;
    form.requestSubmit();
  });
  document.addEventListener('htmx:after:swap', show);
  show();
})();
