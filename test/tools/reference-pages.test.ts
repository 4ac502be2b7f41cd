/** The generated pages say what the declarations say, and nothing of it is lost on the way into Markdown. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiPages } from '../../tools/generate/api-pages.ts';
import { referencePages } from '../../tools/generate/generated-files.ts';
import { shapeRows, shownMeaning, shownType } from '../../src/serve/contract/api-shape.ts';
import { markdownTable, referencePath, referenceText } from '../../tools/generate/reference-page.ts';
import { tablePages } from '../../tools/generate/table-pages.ts';
import { PAGE_KINDS } from '../../src/ledger/sources/page-kinds.ts';
import { readPageRows } from '../../src/ledger/sources/page-rows.ts';
import { describeApi } from '../../src/serve/api-document.ts';
import { RESOURCES } from '../../src/serve/resources/all.ts';
import { TABLES } from '../../src/tables/all.ts';
import { describeTables } from '../../src/tables/describe.ts';

const tables = tablePages(describeTables());
const api = apiPages(describeApi('http://127.0.0.1:8787/v1'));
const pages = referencePages();

describe('the generated pages', () => {
  it('are one for each table and one for each resource, in files of which no other is left', () => {
    expect(tables.map(({ title }) => title)).toEqual(TABLES.map(({ name }) => `Table ${name}`));
    const resources = ['roi', ...RESOURCES.map(({ name }) => name), 'snapshots', 'reporting'];
    expect(api.map(({ title }) => title)).toEqual(resources.map((name) => `API /v1/${name}`));
    const folder = new URL('../../docs/reference', import.meta.url);
    const files = readdirSync(folder).map((name) => `docs/reference/${name}`);
    expect(files.toSorted()).toEqual(pages.map((page) => referencePath(page)).toSorted());
    expect(new Set(pages.map(({ id }) => id)).size).toBe(pages.length);
  });

  it.each(pages.map((page) => [page.slug, page] as const))('can be loaded: %s', (slug, page) => {
    const kind = PAGE_KINDS.find(({ folder }) => folder === 'reference');
    const { rows, faults } = readPageRows(kind as (typeof PAGE_KINDS)[number], slug, referenceText(page));
    expect(faults).toEqual([]);
    expect(rows[0]?.cells.get('body')?.text).toContain('Generated');
  });

  it.each(TABLES.map((table) => [table.name, table] as const))('have every column of %s', (name, table) => {
    const body = tables.find(({ title }) => title === `Table ${name}`)?.body ?? '';
    for (const { name: column, kind, nullable, description } of table.columns) {
      expect(body).toContain(
        `| \`${column}\` | ${kind}${nullable ? '?' : ''} | ${description.split('|')[0]}`,
      );
    }
  });

  it('tell the values and the joins of a column', () => {
    const body = tables.find(({ title }) => title === 'Table budgets')?.body;
    expect(body).toContain('One of `monthly`, `quarterly`, `annually`.');
    expect(body).toContain('Joins to [approval_decisions](table-approval-decisions.md).');
  });

  it('show the parameters and fields of a route, and the media type of a file', () => {
    const decisions = api.find(({ slug }) => slug === 'api-decisions')?.body;
    expect(decisions).toContain(
      '| `limit` | integer | The maximum number of rows of a page. `100` when left out. |',
    );
    expect(decisions).toContain(
      '| `data[].decided_by.name` | string? | Empty or null when the person has no name. |',
    );
    const reporting = api.find(({ slug }) => slug === 'api-reporting')?.body;
    expect(reporting).toContain('Answers with `application/vnd.apache.parquet`.');
    expect(reporting).toContain('Answers with `text/csv`.');
  });
});

it('a sign that would end a cell does not', () => {
  expect(markdownTable(['a', 'b'], [['x | y', 'z']])).toBe('| a | b |\n|---|---|\n| x \\| y | z |\n');
});

describe('a shape', () => {
  it.each([
    [{ type: 'string', format: 'date-time' }, 'timestamp'],
    [{ type: ['string', 'null'], format: 'date' }, 'date?'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ type: 'array', items: { $ref: '#/components/schemas/Part' } }, 'list of object'],
    [{}, 'object'],
  ])('%j is of type %s', (schema, type) => {
    expect(shownType(schema)).toBe(type);
  });

  it('names what stands within another and behind a reference', () => {
    const schemas = {
      Part: { type: 'object', description: 'A part.', properties: { id: { type: 'integer' } } },
    };
    const part = { $ref: '#/components/schemas/Part' };
    const shape = {
      properties: { one: { ...part, description: 'The one.' }, many: { type: 'array', items: part } },
    };
    expect(shapeRows(shape, schemas)).toEqual([
      ['`one`', 'object', 'The one.'],
      ['`one.id`', 'integer', ''],
      ['`many`', 'list of object', ''],
      ['`many[].id`', 'integer', ''],
    ]);
  });

  it('shows the possible values of list elements', () => {
    expect(shownMeaning({ description: 'Parts.', items: { enum: ['a', 'b'] } })).toBe(
      'Parts. One of `a`, `b`.',
    );
  });
});
