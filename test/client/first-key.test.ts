/** The key that a folder trusts without being told one: `pull.py` trusts none. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KEY_ID, OTHER_SEED } from '../support/signing.ts';
import { runPull } from './pull-program.ts';
import { startSigned } from './signed-server.ts';

it('a first pull without --key trusts the key that it meets, says so, and refuses another one later', async () => {
  const to = await mkdtemp(join(tmpdir(), 'crossfoot-first-'));
  const server = await startSigned();
  const pull = () => runPull('node', 'a token', '--url', server.url, '--to', to);
  expect(await pull()).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`trusts the key ${KEY_ID} from now on`),
  });
  server.publish(OTHER_SEED);
  expect(await pull()).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('is not trusted. If the publisher changed the key, name both'),
  });
  await server.close();
  await rm(to, { recursive: true });
});
