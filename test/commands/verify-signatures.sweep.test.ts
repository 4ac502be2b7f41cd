/** `crossfoot verify` of a signed snapshot in the store, of which somebody changed a byte. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addVerifyCommand } from '../../src/commands/verify.ts';
import { SIGNATURE_FILES } from '../../src/snapshot/format/signature-files.ts';
import type { VerifyReport } from '../../src/snapshot/keep/verify.ts';
import { OTHER_SEED } from '../support/signing.ts';
import { runCommand } from './in-process.ts';
import { flipBit, openPublishedFolder, type PublishedFolder } from './published-folder.ts';

let published: PublishedFolder;
beforeAll(async () => {
  published = await openPublishedFolder();
});
afterAll(() => published.close());

it('verify refuses signatures of a key that is not among the trusted ones', async () => {
  const { id } = await published.build();
  const env = { ...published.env, SIGNING_KEYS: OTHER_SEED };
  const { printed } = await runCommand(addVerifyCommand, env, 'verify', id, '--account', '1', '--json');
  const { checks } = JSON.parse(printed.join('\n')) as VerifyReport;
  const [refused] = checks.filter(({ passed }) => !passed);
  expect(refused).toMatchObject({
    name: 'signatures',
    offences: SIGNATURE_FILES.map((subject) => ({
      subject,
      expected: 'a key of SIGNING_PUBLIC_KEYS',
      found: expect.stringMatching(/^SHA256:/),
    })),
  });
});

// The last: it breaks the log.
it('verify refuses each signature with one changed byte, and a log entry with one, by name', async () => {
  const { id, folder } = await published.build();
  for (const name of SIGNATURE_FILES) await flipBit(join(folder, name));
  const args = ['verify', id, '--account', '1', '--json'];
  const ran = await runCommand(addVerifyCommand, published.env, ...args);
  const { checks } = JSON.parse(ran.printed.join('\n')) as VerifyReport;
  const refused = checks.filter(({ passed }) => !passed);
  expect(refused.map(({ name, offences }) => [name, offences.map(({ subject }) => subject)])).toEqual([
    ['signatures', [...SIGNATURE_FILES]],
  ]);
  const log = join(published.objects, 'v1/a/1/log');
  for (const name of await readdir(log)) await flipBit(join(log, name));
  const broken = await runCommand(addVerifyCommand, published.env, ...args);
  expect(broken.error).toMatchObject({ code: 'publish_log_broken' });
});
