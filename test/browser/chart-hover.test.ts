/** The figures of a drawing below a pointer, a finger and the arrow keys, in a page of plain objects. */
import { beforeEach, describe, expect, it } from 'vitest';
import { addChartHover } from '../../src/browser/chart-hover.ts';
import { FakeElement, pageOf } from './fake-page.ts';

const MONTHS = ['May', 'June', 'July'];
let drawing: FakeElement;
let figure: FakeElement;
/** Draws three points at 0, 10 and 60 of 100, shown 200 pixels wide from pixel 50 on. */
beforeEach(() => {
  const rows = MONTHS.map(
    (month, at) =>
      new FakeElement(
        'tr',
        { 'data-point': String(at) },
        new FakeElement('th', {}, ` ${month} `),
        new FakeElement('td', { 'data-column': 'Cost' }, `$${at + 1}`),
        new FakeElement('td', {}, 'not shown'),
      ),
  );
  drawing = new FakeElement('svg', { 'data-points': '0 10 60', 'data-width': '100' });
  drawing.box = { left: 50, width: 200 };
  figure = new FakeElement('figure', {}, drawing);
  figure.box = { left: 50, width: 200 };
  addChartHover(pageOf(new FakeElement('body', {}, new FakeElement('section', {}, figure, ...rows))));
});

const tip = () => figure.querySelector('.tip');
const shown = (): string => tip()?.textContent ?? 'no tip';
/** Points at this place of the drawing: two pixels each, from pixel 50 on. */
const pointAt = (x: number): void => drawing.fire('pointermove', { clientX: 50 + 2 * x });

const press = (key: string): string => {
  drawing.fire('keydown', { key });
  return shown();
};
/** Where the figures of a place stand, if they are so wide. */
const left = (width: number, x: number): string | undefined => {
  const box = tip();
  if (box !== null) box.offsetWidth = width;
  pointAt(x);
  return box?.style.left;
};

describe('a drawing', () => {
  it('shows the figures of the nearest point, and none far from all', () => {
    pointAt(4);
    expect(shown()).toBe('MayCost $1');
    pointAt(6);
    expect(shown()).toBe('JuneCost $2');
    // The longest distance between two points, 50, is the reach: 60 + 50 = 110.
    pointAt(110);
    expect(shown()).toBe('JulyCost $3');
    pointAt(111);
    expect(shown()).toBe('');
  });

  it('hides the figures when a mouse leaves, and not when a finger is lifted', () => {
    drawing.fire('pointerdown', { clientX: 50, pointerType: 'touch' });
    drawing.fire('pointerleave', { pointerType: 'touch' });
    expect(shown()).toBe('MayCost $1');
    drawing.fire('pointerleave', { pointerType: 'mouse' });
    expect(shown()).toBe('');
  });

  it('is walked by the arrow keys from its last point on, and left by Escape', () => {
    const keys = [
      'ArrowLeft',
      'ArrowLeft',
      'ArrowLeft',
      'ArrowLeft',
      'ArrowRight',
      'a',
      'Escape',
      'ArrowRight',
    ];
    expect(keys.map(press)).toEqual([
      'JulyCost $3',
      'JuneCost $2',
      'MayCost $1',
      'MayCost $1',
      'JuneCost $2',
      'JuneCost $2',
      '',
      'JulyCost $3',
    ]);
    expect(press('ArrowRight')).toBe('JulyCost $3');
  });

  it('shows its last point where the keyboard brings the focus, and none where a click does', () => {
    drawing.fire('focus');
    expect(shown()).toBe('');
    drawing.isFocusVisible = true;
    drawing.fire('focus');
    expect(shown()).toBe('JulyCost $3');
    drawing.fire('blur');
    expect(shown()).toBe('');
    expect([drawing.attributes.get('tabindex'), tip()?.attributes.get('role')]).toEqual(['0', 'status']);
  });

  it('has its figures beside the point: on the right in the left half, on the left in the right half', () => {
    // 0 + 16, 20 + 16, 120 − 30 − 16; and 120 − 110 − 16 = −6, which would be outside of the page.
    expect([left(30, 0), left(30, 10), left(30, 60), left(110, 60)]).toEqual(['16px', '36px', '74px', '0px']);
    // 36 of a page of 200 with 180 of figures: 20 at most.
    expect(left(180, 10)).toBe('20px');
  });
});

it('a drawing of a single point shows its figures up to twelve pixels away', () => {
  const row = new FakeElement('tr', { 'data-point': '0' }, new FakeElement('th', {}, 'May'));
  const one = new FakeElement('svg', { 'data-points': '50', 'data-width': '100' });
  one.box = { left: 0, width: 100 };
  const alone = new FakeElement('figure', {}, one);
  addChartHover(pageOf(new FakeElement('body', {}, new FakeElement('section', {}, alone, row))));
  const at = (clientX: number): string => {
    one.fire('pointermove', { clientX });
    return alone.querySelector('.tip')?.textContent ?? 'no tip';
  };
  expect([at(62), at(63), at(38), at(37)]).toEqual(['May', '', 'May', '']);
});

it('a figure without a table of points gets no figures to show', () => {
  const bare = new FakeElement('figure', {}, new FakeElement('svg', { 'data-points': '0' }));
  addChartHover(pageOf(new FakeElement('body', {}, bare)));
  expect(bare.querySelector('.tip')).toBeNull();
});
