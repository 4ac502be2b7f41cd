/** Text in every encoding that a load takes, in every form of text, and the same in a wrong one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Encoding } from '../../../src/ledger/staging/mode.ts';
import { utf8Bytes } from '../../../src/ledger/sources/encodings.ts';
import { JSON_FORMS, TEXT_FORMS, type WasRead, readAs } from './files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-encodings-'));
});
afterAll(() => rm(folder, { recursive: true }));

const FORMS = [...TEXT_FORMS, ...JSON_FORMS];
const CSV = 'a,b\nMüller,5 €\n';
const JSON_LINES = '{"a":"Müller","b":"5 €"}\n';
const textOf = (form: string): string => (form.endsWith('ndjson') ? JSON_LINES : CSV);

const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();
const BYTES: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with its mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16 as Excel writes it': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 in the other order, with its mark': (text) => swapped(Buffer.from(`\uFEFF${text}`, 'utf16le')),
  'UTF-16, no mark': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16 in the other order, no mark': (text) => swapped(Buffer.from(text, 'utf16le')),
  'Windows-1252': (text) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1'),
};

const RIGHT: readonly (readonly [bytes: string, encoding: Encoding | undefined])[] = [
  ['UTF-8', undefined],
  ['UTF-8', 'utf-8'],
  ['UTF-8 with its mark', undefined],
  ['UTF-8 with its mark', 'utf-8'],
  ['UTF-16 as Excel writes it', undefined],
  ['UTF-16 as Excel writes it', 'utf-16'],
  ['UTF-16 as Excel writes it', 'utf-16le'],
  ['UTF-16 in the other order, with its mark', 'utf-16'],
  ['UTF-16 in the other order, with its mark', 'utf-16be'],
  ['UTF-16 in the other order, with its mark', undefined],
  ['UTF-16, no mark', 'utf-16le'],
  ['UTF-16 in the other order, no mark', 'utf-16be'],
  ['Windows-1252', 'windows-1252'],
];

const isRefused = ({ rows, broken }: WasRead): boolean =>
  broken !== null || rows.some(({ fault }) => fault !== undefined);

describe.each(FORMS)('the text of %s', (form) => {
  const read = async (bytes: string, encoding?: Encoding): Promise<WasRead> =>
    await readAs(form, folder, BYTES[bytes]?.(textOf(form)) ?? null, { encoding });

  it.each(RIGHT)('is read in %s, with --encoding %s', async (bytes, encoding) => {
    const { rows, broken } = await read(bytes, encoding);
    expect(broken).toBeNull();
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['Müller', '5 €'],
    ]);
  });

  it('is refused in every other pair of bytes and --encoding', async () => {
    const names: readonly (Encoding | undefined)[] = [
      undefined,
      'utf-8',
      'windows-1252',
      'utf-16',
      'utf-16le',
      'utf-16be',
    ];
    for (const bytes of Object.keys(BYTES)) {
      for (const encoding of names) {
        if (RIGHT.some(([right, named]) => right === bytes && named === encoding)) continue;
        expect(isRefused(await read(bytes, encoding)), `${bytes} as ${encoding}`).toBe(true);
      }
    }
  });
});

it.each<readonly [what: string, bytes: readonly number[], found: RegExp]>([
  ['gzip', [0x1f, 0x8b, 8, 0], /compressed with gzip/],
  ['a zip archive', [0x50, 0x4b, 3, 4], /zip archive or a spreadsheet/],
  ['Parquet', [0x50, 0x41, 0x52, 0x31], /name that ends in .parquet/],
  ['an old spreadsheet', [0xd0, 0xcf, 0x11, 0xe0], /old spreadsheet/],
])('%s in place of text is named, as a file and on standard input', async (_, bytes, found) => {
  for (const form of ['csv', 'standard input', 'focus csv', 'ndjson'] as const)
    expect((await readAs(form, folder, Buffer.from([...bytes, 1, 2, 3]))).broken, `of ${form}`).toMatch(
      found,
    );
});

it.each(['csv', 'csv.gz', 'standard input', 'focus csv'] as const)(
  'the line ends of an old Macintosh, and a line sep=, are named in %s',
  async (form) => {
    const broken = async (text: string) => (await readAs(form, folder, Buffer.from(text))).broken;
    for (const text of ['a,b\r1,2\r', 'a,b\n1,2\r3,4\n', '"a","b"\r"1","2"\r', 'a,b\r\r\n1,2\r\r\n'])
      expect(await broken(text), `of ${JSON.stringify(text)}`).toContain('CSV (Macintosh)');
    expect(await broken('a,b\r\n1,"two\rlines"\r\n')).toBeNull();
    expect(await broken('sep=;\r\na;b\r\n1;2\r\n')).toContain('sep=');
    expect(await broken('"sep=,"\na,b\n')).toContain('sep=');
  },
);

it('a letter that is cut by pieces of the file is read whole, in every encoding', async () => {
  for (const [bytes, encoding = null] of RIGHT) {
    const all = BYTES[bytes]?.(CSV) ?? Buffer.alloc(0);
    for (const size of [1, 2, 3, 5]) {
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
        all.subarray(at * size, at * size + size),
      );
      const read = await Array.fromAsync(
        utf8Bytes(
          (async function* () {
            yield* pieces;
          })(),
          encoding,
        ),
      );
      expect(Buffer.concat(read).toString(), `${bytes} by ${size}`).toBe(CSV);
    }
  }
});

it('UTF-8 in pieces is no Windows-1252, also where its last piece has only letters of ASCII', async () => {
  const all = Buffer.from(`${CSV}${'x,y\n'.repeat(4)}`);
  for (const size of [1, 2, 3, 5, 16]) {
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.subarray(at * size, at * size + size),
    );
    const read = Array.fromAsync(utf8Bytes(Readable.from(pieces), 'windows-1252'));
    await expect(read, `by ${size}`).rejects.toThrow('this file is UTF-8');
  }
});
