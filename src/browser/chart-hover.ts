/** The exact figures of a point of a drawing, below the pointer or by arrow keys: the words of the table behind it. */
import type { Element, Page } from './document.ts';

/** A drawing with a single point shows its figures this near, in pixels of the drawing. */
const LEAST_REACH = 12;

/** Shows the figures of a point over every drawing that says where its points lie. */
export function addChartHover(document: Page): void {
  for (const figure of document.querySelectorAll('figure')) {
    const rows = [...(figure.closest('section')?.querySelectorAll('tr[data-point]') ?? [])];
    if (rows.length === 0) continue;
    const tip = document.createElement('div');
    tip.className = 'tip';
    // A screen reader reads the figures of each point that an arrow key leads to.
    tip.setAttribute('role', 'status');
    figure.append(tip);
    for (const drawing of figure.querySelectorAll('svg[data-points]')) {
      followDrawing({ document, figure, tip, rows, drawing });
    }
  }
}

interface Followed {
  readonly document: Page;
  readonly figure: Element;
  readonly tip: Element;
  /** The rows of the table behind the drawing, one for each point. */
  readonly rows: readonly Element[];
  readonly drawing: Element;
}

function followDrawing(followed: Followed): void {
  const { tip, rows, drawing } = followed;
  const points = (drawing.dataset['points'] ?? '').split(' ').map(Number);
  let shown: number | null = null;
  const show = (point: number | null): void => {
    const row = point === null ? undefined : rows[point];
    shown = row === undefined ? null : point;
    if (row === undefined || point === null) tip.replaceChildren();
    else showRow(followed, row, points[point] ?? 0);
  };
  const showPointed = ({ clientX }: { readonly clientX: number }): void => {
    const box = drawing.getBoundingClientRect();
    show(nearest(points, ((clientX - box.left) * widthOf(drawing)) / box.width));
  };
  drawing.setAttribute('tabindex', '0');
  drawing.setAttribute('aria-keyshortcuts', 'ArrowLeft ArrowRight');
  drawing.addEventListener('pointerdown', showPointed);
  drawing.addEventListener('pointermove', showPointed);
  drawing.addEventListener('pointerleave', ({ pointerType }) => {
    // A finger leaves as soon as it is lifted: its figures stay until another place is touched.
    if (pointerType !== 'touch') show(null);
  });
  drawing.addEventListener('focus', () => {
    if (drawing.matches(':focus-visible')) show(rows.length - 1);
  });
  drawing.addEventListener('blur', () => show(null));
  drawing.addEventListener('keydown', ({ key }) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (key === 'Escape') show(null);
    else if (step !== undefined) show(Math.max(0, Math.min((shown ?? rows.length) + step, rows.length - 1)));
  });
}

/** The point nearest to a place; null if the place is farther from all points than they are from each other. */
function nearest(points: readonly number[], x: number): number | null {
  const reach = Math.max(...points.map((point, index) => point - (points[index - 1] ?? point)), LEAST_REACH);
  let found: number | null = null;
  for (const [index, point] of points.entries()) {
    const distance = Math.abs(point - x);
    if (distance <= reach && (found === null || distance < Math.abs((points[found] ?? 0) - x))) found = index;
  }
  return found;
}

function widthOf(drawing: Element): number {
  return Number(drawing.dataset['width']);
}

function showRow({ document, figure, tip, drawing }: Followed, row: Element, point: number): void {
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
  // A point in the right half of a drawing has its figures at the left, so that they stay inside the page.
  const { width } = figure.getBoundingClientRect();
  const x = (point * drawing.getBoundingClientRect().width) / widthOf(drawing);
  const place = x < width / 2 ? x + 16 : x - tip.offsetWidth - 16;
  tip.style.left = `${Math.max(0, Math.min(place, width - tip.offsetWidth))}px`;
}
