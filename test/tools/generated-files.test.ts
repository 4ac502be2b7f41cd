import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { referencePages, writeGeneratedFiles } from '../../tools/generate/generated-files.ts';
import { publishedApi } from '../../tools/generate/published-api.ts';
import { publishedSchema } from '../../tools/generate/published-schema.ts';
import { referencePath, referenceText } from '../../tools/generate/reference-page.ts';
import { describeApi } from '../../src/serve/api-document.ts';
import { describeTables } from '../../src/tables/describe.ts';

const PROMISES = ['schema/v1.tables.json', 'schema/v1.openapi.json'];
const PAGES = referencePages();
const GENERATED = [...PROMISES, ...PAGES.map((page) => referencePath(page))];
const CLIENT = 'assets/pull.mjs';
const SCRIPTS = ['assets/prove-page.js', 'assets/prove-worker.js', 'assets/page-script.js'];
const WRITTEN = [...GENERATED, CLIENT, ...SCRIPTS];

describe('the generated files', () => {
  let folder: string;
  let root: URL;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crossfoot-schema-'));
    root = pathToFileURL(`${folder}/`);
    await mkdir(join(folder, 'schema'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const read = (path: string) => readFile(join(folder, path), 'utf8');

  it('writes the schema, names what it wrote, and has nothing to do a second time', async () => {
    expect(await writeGeneratedFiles(root, { check: false })).toEqual(WRITTEN);
    for (const page of PAGES) expect(await read(referencePath(page))).toBe(referenceText(page));
    expect(await read('schema/v1.tables.json')).toBe(publishedSchema(describeTables()));
    expect(await read('schema/v1.openapi.json')).toBe(publishedApi(describeApi('http://127.0.0.1:8787/v1')));
    expect(await writeGeneratedFiles(root, { check: false })).toEqual([]);
    expect(await writeGeneratedFiles(root, { check: true })).toEqual([]);
  });

  it('with check writes nothing and names every stale file and the command that repairs them', async () => {
    await mkdir(join(folder, 'docs/reference'), { recursive: true });
    await writeFile(join(folder, 'docs/reference/settings.md'), 'stale\n');
    await expect(writeGeneratedFiles(root, { check: true })).rejects.toMatchObject({
      code: 'generated_stale',
      message: `Not what it is made from: ${WRITTEN.join(', ')}.`,
      hint: 'Run `npm run generate` and commit what it writes.',
    });
    expect(await read('docs/reference/settings.md')).toBe('stale\n');
    await expect(read('schema/v1.tables.json')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('refuses, checking or not, a schema that takes back a promise, and writes nothing', async () => {
    const tables = describeTables().tables.map((table, index) =>
      index === 0 ? { ...table, name: 'gone' } : table,
    );
    const promised = publishedSchema({ version: 'v1', tables });
    await writeFile(join(folder, 'schema/v1.tables.json'), promised);
    for (const check of [true, false]) {
      await expect(writeGeneratedFiles(root, { check })).rejects.toMatchObject({
        code: 'schema_breaks_promise',
        message: 'schema/v1.tables.json: table gone was removed.',
      });
    }
    expect(await read('schema/v1.tables.json')).toBe(promised);
  });

  it('refuses a contract that takes back a promise too, and says what may be done', async () => {
    const { paths, ...rest } = describeApi('http://127.0.0.1:8787/v1');
    const promised = publishedApi({ ...rest, paths: { ...paths, '/gone': paths?.['/cost_entries'] } });
    await writeFile(join(folder, 'schema/v1.openapi.json'), promised);
    await expect(writeGeneratedFiles(root, { check: true })).rejects.toMatchObject({
      code: 'schema_breaks_promise',
      message: 'schema/v1.openapi.json: GET /gone was removed.',
      hint: expect.stringContaining('only added') as string,
    });
  });

  it('refuse, with and without --check, an addition without a line in CHANGES, and name it', async () => {
    const tables = describeTables().tables.slice(0, -1);
    const { paths, ...rest } = describeApi('http://127.0.0.1:8787/v1');
    const { '/roi': _, ...fewer } = paths ?? {};
    await writeFile(join(folder, 'schema/v1.tables.json'), publishedSchema({ version: 'v1', tables }));
    await writeFile(join(folder, 'schema/v1.openapi.json'), publishedApi({ ...rest, paths: fewer }));
    for (const check of [true, false]) {
      await expect(writeGeneratedFiles(root, { check })).rejects.toMatchObject({
        code: 'schema_change_untold',
        message: 'schema/CHANGES.md has no line for `reported_totals`.',
      });
    }
    await writeFile(join(folder, 'schema/CHANGES.md'), '- `reported_totals`: sums.\n');
    await expect(writeGeneratedFiles(root, { check: false })).rejects.toMatchObject({
      message: 'schema/CHANGES.md has no line for `GET /roi`.',
    });
    await writeFile(join(folder, 'schema/CHANGES.md'), '- `reported_totals`: sums.\n- `GET /roi`: new.\n');
    expect(await writeGeneratedFiles(root, { check: false })).toEqual(WRITTEN);
  });
});
