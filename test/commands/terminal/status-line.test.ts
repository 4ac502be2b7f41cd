import { expect, it } from 'vitest';
import { openStatusLine } from '../../../src/commands/terminal/status-line.ts';

function terminal(facts: { readonly isTTY?: boolean; readonly columns?: number }) {
  const written: string[] = [];
  return { ...facts, written, write: (text: string) => written.push(text) };
}

it('writes each line over the one before, and takes the last away once', () => {
  const stream = terminal({ isTTY: true, columns: 20 });
  const status = openStatusLine(stream);
  status.clear();
  status.show('costs …');
  status.show('audit …');
  status.clear();
  status.clear();
  expect(stream.written).toEqual(['\rcosts …\u001B[K', '\raudit …\u001B[K', '\r\u001B[K']);
});

it('cuts what would wrap', () => {
  const stream = terminal({ isTTY: true, columns: 6 });
  openStatusLine(stream).show('0123456789');
  expect(stream.written).toEqual(['\r01234\u001B[K']);
});

it('takes a width that nobody knows for the usual one', () => {
  const stream = terminal({ isTTY: true, columns: 0 });
  openStatusLine(stream).show('x'.repeat(100));
  expect(stream.written).toEqual([`\r${'x'.repeat(79)}\u001B[K`]);
});

it('writes nothing where there is no terminal', () => {
  const stream = terminal({});
  const status = openStatusLine(stream);
  status.show('costs …');
  status.clear();
  expect(stream.written).toEqual([]);
});
