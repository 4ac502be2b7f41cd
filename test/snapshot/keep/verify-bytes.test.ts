/** `crossfoot verify` of a copied folder: a flipped bit of any file is found, or the file is named as not checked. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVerifyCommand } from '../../../src/commands/verify.ts';
import { digest } from '../../../src/snapshot/format/digest.ts';
import { readManifest } from '../../../src/snapshot/format/manifest.ts';
import { SIGNATURE_FILES } from '../../../src/snapshot/format/signature-files.ts';
import { compareFiles } from '../../../src/snapshot/keep/verify-files.ts';
import { verifyOwnSignatures } from '../../../src/snapshot/keep/verify-signatures.ts';
import type { VerifyReport } from '../../../src/snapshot/keep/verify.ts';
import { itInSweeps } from '../../support/sweeps.ts';
import { runCommand } from '../../commands/in-process.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from '../../commands/published-folder.ts';

/** Each byte of a file below that size is flipped; of a larger one, a byte of each page. */
const SMALL_BYTES = 16_384;
const PAGE_BYTES = 4_096;

let published: PublishedFolder;
let id: string;
let folder: string;
let names: readonly string[];
beforeAll(async () => {
  published = await openPublishedFolder();
  ({ id, folder } = await published.build());
  names = await readdir(folder);
});
afterAll(() => published.close());

async function* piecesOf(bytes: Uint8Array) {
  await Promise.resolve();
  yield bytes;
}

/** The places of a file whose flipped bit neither the digests nor the signatures show; every `step`th place is tried. */
async function unnoticed(name: string, step: number): Promise<readonly number[]> {
  const content = new Map<string, Buffer>();
  for (const each of names) content.set(each, await readFile(join(folder, each)));
  const manifest = readManifest(content.get('manifest.json') ?? Buffer.alloc(0));
  const sums = new Map<string, Awaited<ReturnType<typeof digest>>>();
  for (const [each, bytes] of content) sums.set(each, await digest(piecesOf(bytes)));
  const bytes = content.get(name) ?? Buffer.alloc(0);
  const places = bytes.length < SMALL_BYTES ? step : step * PAGE_BYTES;
  const missed: number[] = [];
  for (let at = 0; at < bytes.length; at += places) {
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
    sums.set(name, await digest(piecesOf(flipped)));
    const { wrong } = await compareFiles(manifest, 'store', async (each) => sums.get(each) ?? null);
    if (wrong.some(({ subject }) => subject === name)) continue;
    const read = async (each: string): Promise<Buffer | null> =>
      each === name ? flipped : (content.get(each) ?? null);
    const { offences } = await verifyOwnSignatures(manifest, read);
    if (offences.length === 0) missed.push(at);
  }
  return missed;
}

itInSweeps('verify finds a flipped bit in each file of the folder, also beside the tables', async () => {
  for (const name of names) expect([name, await unnoticed(name, 97)]).toEqual([name, []]);
});

/** All files together would take longer than a test may on a busy machine. */
const PARTS = [0, 1, 2, 3];

itInSweeps.each(PARTS)(
  'verify finds a flipped bit at each byte of a small file and on each page of a large one, part %i of the files',
  async (part) => {
    for (const name of names.filter((_, index) => index % PARTS.length === part))
      expect([name, await unnoticed(name, 1)]).toEqual([name, []]);
  },
);

/** A file of each kind that no table is. */
const KINDS = ['api_initiatives.companion', 'focus.blocks', 'companions.json', ...SIGNATURE_FILES];

async function expectRefused(name: string): Promise<void> {
  const copy = await published.copy(folder);
  await flipBit(join(copy, name));
  const stored = await readFile(join(folder, name));
  for (const [from, args] of [
    ['folder', [copy]],
    ['id', [id, '--account', '1']],
  ] as const) {
    if (from === 'id') await flipBit(join(folder, name));
    const ran = await runCommand(addVerifyCommand, published.env, 'verify', ...args, '--json');
    if (from === 'id') await writeFile(join(folder, name), stored);
    const { checks } = JSON.parse(ran.printed.join('\n')) as VerifyReport;
    const wrong = checks.flatMap(({ offences }) => offences.map(({ subject }) => subject));
    expect([from, wrong.includes(name)]).toEqual([from, true]);
    expect(ran.error).toMatchObject({ code: 'verify_refused', exitCode: 3 });
  }
}

it.each(KINDS.slice(0, 1))(
  'verify refuses, by folder and by id, a snapshot whose %s has another bit',
  expectRefused,
);
itInSweeps.each(KINDS.slice(1))(
  'verify refuses, by folder and by id, a snapshot whose %s has another bit',
  expectRefused,
);

it('verify names as not checked the files beside a snapshot, and whose key signed it', async () => {
  const copy = await published.copy(folder);
  await writeFile(join(copy, 'notes.txt'), 'mine');
  await mkdir(join(copy, 'mine'));
  const { printed } = await runCommand(addVerifyCommand, {}, 'verify', copy);
  expect(printed.filter((line) => line.startsWith('not checked'))).toEqual([
    'not checked  manifest.json: The folder holds no log entry, so no digest of the manifest itself is known.',
    expect.stringMatching(/^not checked {2}The signatures: The folder holds no log entry, .*: SHA256:/),
    'not checked  mine: The manifest does not name it.',
    'not checked  notes.txt: The manifest does not name it.',
  ]);
  expect(printed.at(-1)).toMatch(/^verified: all \d+ .*, not checked: 4$/);
});
