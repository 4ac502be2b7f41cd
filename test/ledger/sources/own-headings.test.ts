import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInputs } from '../../../src/ledger/sources/inputs.ts';
import { readOwnHeadings, withColumns } from '../../../src/ledger/sources/own-headings.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-headings-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The rows of a file of costs, as the load reads them with these headings. */
async function rows(yaml: string, name: string, text: string): Promise<readonly unknown[]> {
  const [path, file] = [join(folder, 'columns.yml'), join(folder, name)];
  await writeFile(path, yaml);
  await writeFile(file, text);
  const files = withColumns(await openInputs([file]), { path, headings: await readOwnHeadings(path) });
  return await Array.fromAsync(files.rows('cost_entries.csv'), ({ cells, numbers, nested }) => ({
    cells,
    ...(numbers !== undefined && { numbers: [...numbers] }),
    ...(nested !== undefined && { nested: [...nested] }),
  }));
}

const YAML = `
cost_entries:
  Invoice No: source_ref
  2026: amount
  No: leave out
  "Überschrift": notes
`;

describe('own headings', () => {
  it('become our columns, and leave out what they say, in CSV', async () => {
    // The heading with the umlaut is of two letters in the file and of one in the YAML.
    const text = `No,Invoice No ,currency,2026,U\u0308berschrift\n7,INV-1,EUR,"1.5",x\n8,INV-2,EUR,2,\n`;
    const [header, ...others] = await rows(YAML, 'cost_entries.csv', text);
    expect(header).toEqual({ cells: ['source_ref', 'currency', 'amount', 'notes'] });
    expect(others).toEqual([{ cells: ['INV-1', 'EUR', '1.5', 'x'] }, { cells: ['INV-2', 'EUR', '2', null] }]);
  });

  it('keep in JSON lines which cells are numbers and which are nested', async () => {
    const text = `${JSON.stringify({ No: 7, Ref: 'A', Sum: 1.5, tags: { a: 1 } })}\n`;
    const yaml = 'cost_entries: { No: leave out, Ref: source_ref, Sum: amount }';
    expect(await rows(yaml, 'cost_entries.ndjson', text)).toEqual([
      { cells: ['source_ref', 'amount', 'tags'] },
      { cells: ['A', '1.5', '{"a":1}'], numbers: [1], nested: [2] },
    ]);
  });

  it('that a file does not have are refused with the nearest heading', async () => {
    await expect(rows(YAML, 'cost_entries.csv', 'No,Invoice Nr,2026,Überschrift\n')).rejects.toMatchObject({
      line: 1,
      column: 'Invoice No',
      message: expect.stringMatching(
        /^this heading, which .*columns\.yml names; did you mean "Invoice Nr"\?$/,
      ),
    });
  });

  it('of a table without a file are refused', async () => {
    await expect(rows('cost_entry: { a: b }', 'cost_entries.csv', 'a\n')).rejects.toMatchObject({
      code: 'usage_invalid',
      message: expect.stringContaining('names the table "cost_entry", of which this load has no file'),
      hint: 'Did you mean cost_entries?',
    });
  });

  it.each([
    ['is no YAML', 'cost_entries: ['],
    ['is empty', ''],
    ['is a list', '- a'],
    ['has headings without a table', 'Invoice No: source_ref'],
    ['has a column that is empty', 'cost_entries: { Invoice No: }'],
    ['has a column that is a list', 'cost_entries: { Invoice No: [a, b] }'],
    ['has a heading twice', 'cost_entries:\n  A: amount\n  A: notes'],
    ['has a blank heading', 'cost_entries: { " ": amount }'],
  ])('in a file that %s are refused, and nothing is loaded', async (_, yaml) => {
    await expect(rows(yaml, 'cost_entries.csv', 'A\n')).rejects.toMatchObject({
      code: 'usage_invalid',
      message: expect.stringContaining('nothing was loaded'),
    });
  });

  it('in a file that is not there are refused', async () => {
    await expect(readOwnHeadings(join(folder, 'column.yaml'))).rejects.toMatchObject({
      code: 'usage_invalid',
      message: expect.stringContaining('is not a file that can be read'),
    });
  });
});
