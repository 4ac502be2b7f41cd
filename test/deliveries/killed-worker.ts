/** A worker in a process of its own that ends by `kill -9` in the middle of its deliveries. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../support/s3-faults.ts';
import type { S3Request } from '../support/s3-objects.ts';
import type { TestDeliveries } from './delivery-harness.ts';

type Script = (request: S3Request) => Fault | null;

interface Killing {
  /** How many deliveries it makes at the same time. */
  readonly lanes: number;
  /** The number of the request at which it is killed. */
  readonly at: number;
  /** Whether that request is still applied. */
  readonly isApplied: boolean;
  /** Sees every request, and says what those before it meet. */
  readonly script: Script;
}

/** Delivers what is due until the worker is killed; false if nothing was due any more before. The time passes until its loss is noticed. */
export async function deliverUntilKilled(
  test: TestDeliveries,
  { lanes, at, isApplied, script }: Killing,
): Promise<boolean> {
  const root = await mkdtemp(join(tmpdir(), 'crossfoot-killed-'));
  try {
    for (const [key, bytes] of test.store.objects) {
      await mkdir(dirname(join(root, key)), { recursive: true });
      await writeFile(join(root, key), bytes);
    }
    let asked = 0;
    const worker = fork(fileURLToPath(new URL('worker-process.ts', import.meta.url)), [
      test.database.url('cf_service'),
      test.s3.endpoint,
      root,
      String(lanes),
    ]);
    const ended = once(worker, 'exit');
    test.s3.script((request) => {
      const fault = script(request);
      asked += 1;
      if (asked < at) return fault;
      worker.kill('SIGKILL');
      return asked === at && isApplied ? null : { reset: 'before' };
    });
    await ended;
    test.s3.script(() => null);
    await test.passLoss();
    return worker.signalCode === 'SIGKILL';
  } finally {
    await rm(root, { recursive: true });
  }
}
