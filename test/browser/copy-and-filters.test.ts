/** The buttons that copy, and the values that the form of filters offers, in a page of plain objects. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addCopyButtons } from '../../src/browser/copy-buttons.ts';
import type { Browser, Page } from '../../src/browser/document.ts';
import { addFilterValues } from '../../src/browser/filter-values.ts';
import { FakeElement, pageOf } from './fake-page.ts';

/** Presses the first button of the page, and gives its words then and after the pause that follows. */
async function press(
  body: FakeElement,
  clipboard: Browser['navigator']['clipboard'],
  page: Partial<Page> = {},
) {
  const later: (() => void)[] = [];
  addCopyButtons({
    document: pageOf(body, page),
    navigator: clipboard === undefined ? {} : { clipboard },
    setTimeout: (run) => void later.push(run),
  });
  const button = body.querySelector('button');
  button?.fire('click');
  await setImmediate();
  const words = [button?.textContent, body.querySelector('.skip')?.textContent];
  for (const run of later) run();
  return { words, after: [button?.textContent, body.querySelector('.skip')?.textContent], button };
}

const copied: string[] = [];
const clipboard = { writeText: async (text: string) => void copied.push(text) };
const refusing = { writeText: async () => await Promise.reject(new Error('not allowed')) };
const withBlock = (text: string): FakeElement =>
  new FakeElement('body', {}, new FakeElement('pre', {}, text));

describe('a button for copying', () => {
  it('copies a block with its blanks, without its last line end, and says so for a while', async () => {
    const { words, after } = await press(withBlock('  npm ci\n\n  npm start\n\n'), clipboard);
    expect(copied.splice(0)).toEqual(['  npm ci\n\n  npm start\n']);
    expect([words, after]).toEqual([
      ['Copied', 'Copied'],
      ['Copy', ''],
    ]);
  });

  it('stands behind a marked word, and has its name for a screen reader', async () => {
    const word = new FakeElement('code', { 'data-copy': 'snapshot id' }, '20260715T020000Z');
    const { button } = await press(new FakeElement('body', {}, word), clipboard);
    expect(copied.splice(0)).toEqual(['20260715T020000Z']);
    expect(button?.attributes.get('aria-label')).toBe('Copy snapshot id');
  });

  it('says that nothing was copied where the browser refuses', async () => {
    const not = 'Not copied: select it by hand';
    expect((await press(withBlock('a'), refusing)).words).toEqual([not, not]);
    expect((await press(withBlock('a'), undefined)).words).toEqual([not, not]);
  });

  it('copies the selected block on a page that has no clipboard', async () => {
    const selected: string[] = [];
    const page: Partial<Page> = {
      getSelection: () => ({ selectAllChildren: ({ textContent }) => void selected.push(textContent) }),
      execCommand: () => true,
    };
    expect((await press(withBlock('a'), undefined, page)).words).toEqual(['Copied', 'Copied']);
    expect(selected).toEqual(['a']);
  });
});

const option = (column: string, value: string): FakeElement =>
  new FakeElement('option', { 'data-column': column }, value);

/** A form of filters with two values of one column and one of another. */
function filters() {
  const fields = ['add_column', 'add_how', 'add_value'].map((name) => new FakeElement('input', { name }));
  const list = new FakeElement(
    'datalist',
    {},
    option('stage', 'live'),
    option('stage', 'ended'),
    option('type', 'capex'),
  );
  const [column, how, value] = fields as [FakeElement, FakeElement, FakeElement];
  [column.value, how.value] = ['stage', 'is'];
  addFilterValues(
    pageOf(new FakeElement('body', {}, new FakeElement('form', { class: 'filters' }, ...fields, list))),
  );
  return {
    column,
    how,
    value,
    offered: () => list.querySelectorAll('option').map((each) => each.textContent),
  };
}

describe('the form that adds a filter', () => {
  it('offers the known values of the chosen column alone, also when a person chooses a column again', () => {
    const { column, offered } = filters();
    expect(offered()).toEqual(['live', 'ended']);
    column.value = 'type';
    column.fire('change');
    expect(offered()).toEqual(['capex']);
    column.value = 'stage';
    column.fire('change');
    expect(offered()).toEqual(['live', 'ended']);
  });

  it('takes no value for empty and filled cells', () => {
    const { how, value } = filters();
    const taken = ['empty', 'is', 'filled', 'at_least'].map((each) => {
      how.value = each;
      how.fire('change');
      return !value.disabled;
    });
    expect(taken).toEqual([false, true, false, true]);
  });
});
