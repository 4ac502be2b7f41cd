/** The exact figures of the month below the pointer, beside a drawing: the words of the table behind it. */
import type { Element, Page } from './document.ts';

/** Shows the figures of a month while the pointer is over a drawing that names its first month. */
export function addChartHover(document: Page): void {
  for (const figure of document.querySelectorAll('figure')) {
    const rows = monthRows(figure);
    if (rows.size === 0) continue;
    const tip = document.createElement('div');
    tip.className = 'tip';
    // The table behind the chart says the same to a screen reader.
    tip.setAttribute('aria-hidden', 'true');
    for (const drawing of figure.querySelectorAll('svg[data-from]')) {
      drawing.addEventListener('pointermove', ({ clientX }) => {
        const row = rows.get(monthAt(drawing, clientX));
        if (row === undefined) tip.remove();
        else show(document, figure, tip, row, clientX);
      });
      drawing.addEventListener('pointerleave', () => tip.remove());
    }
  }
}

/** The rows of the table in the same section, by month. */
function monthRows(figure: Element): ReadonlyMap<string, Element> {
  const rows = figure.closest('section')?.querySelectorAll('tr[data-month]') ?? [];
  return new Map(Array.from(rows, (row) => [row.dataset['month'] ?? '', row]));
}

/** The month of a place in a drawing, as `2026-11`. */
function monthAt(drawing: Element, clientX: number): string {
  const { from = '', width = '', start = '', band = '' } = drawing.dataset;
  const box = drawing.getBoundingClientRect();
  const x = ((clientX - box.left) * Number(width)) / box.width;
  const place = Math.floor((x - Number(start)) / Number(band));
  const month = Number(from.slice(0, 4)) * 12 + Number(from.slice(5, 7)) - 1 + place;
  return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
}

function show(document: Page, figure: Element, tip: Element, row: Element, clientX: number): void {
  const name = document.createElement('b');
  name.textContent = row.querySelector('th')?.textContent.trim() ?? '';
  const lines = Array.from(row.querySelectorAll('td[data-column]'), (cell) => {
    const line = document.createElement('span');
    const value = document.createElement('span');
    value.textContent = cell.textContent.trim();
    line.append(`${cell.dataset['column'] ?? ''} `, value);
    return line;
  });
  tip.replaceChildren(name, ...lines);
  figure.append(tip);
  // The right half of a drawing has its figures at the left of the pointer, so that they stay inside the page.
  const { left, width } = figure.getBoundingClientRect();
  const x = clientX - left;
  const place = x < width / 2 ? x + 16 : x - tip.offsetWidth - 16;
  tip.style.left = `${Math.max(0, Math.min(place, width - tip.offsetWidth))}px`;
}
