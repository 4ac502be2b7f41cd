import { expect, it } from 'vitest';
import type { ControlRow } from '../../../src/ledger/moment/control.ts';
import { encodeControl } from '../../../src/snapshot/builder/control-file.ts';

async function written(rows: Iterable<ControlRow>): Promise<{ pieces: number; text: string }> {
  const pieces = await Array.fromAsync(encodeControl(rows));
  return { pieces: pieces.length, text: String(Buffer.concat(pieces)) };
}

it('the control totals are one JSON object with a line for each row, keys in order', async () => {
  const { text } = await written([
    { base_table: 'accounts', row: 1, figures: { id: '7' } },
    { base_table: 'users', row: 1, figures: { name_digest: null, id: '501' } },
    { base_table: 'users', row: 2, figures: { id: '502', name_digest: 'a line\nbreak' } },
  ]);
  expect(text).toBe(`{"rows":[
{"base_table":"accounts","figures":{"id":"7"},"row":1},
{"base_table":"users","figures":{"id":"501","name_digest":null},"row":1},
{"base_table":"users","figures":{"id":"502","name_digest":"a line\\nbreak"},"row":2}
]}
`);
});

it('the file of no totals is an object with an empty list', async () => {
  expect((await written([])).text).toBe('{"rows":[\n]}\n');
});

it('the control file of many totals is written in pieces, and loses none at the edge of a piece', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => ({
    base_table: 'users',
    row: at + 1,
    figures: { id: String(9_000 + at) },
  }));
  const { pieces, text } = await written(rows);
  expect(pieces).toBeGreaterThan(1);
  expect(JSON.parse(text)).toEqual({ rows });
});
