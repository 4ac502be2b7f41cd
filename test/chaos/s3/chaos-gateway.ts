/** A real S3 gateway that a campaign starts for itself. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { readSettings } from '../../../src/config.ts';
import { openS3Store } from '../../../src/store/s3.ts';
import type { Store } from '../../../src/store/store.ts';

const STARTER = resolve(
  import.meta.dirname,
  '../../..',
  process.env['S3_STARTER'] ?? '../shared/tools/start-rgw',
);
/** The first start on a machine installs the gateway. */
const START_MS = 500_000;

/** What the machine lacks to start one; undefined when it lacks nothing. */
export async function lacksGateway(): Promise<string | undefined> {
  return existsSync(STARTER) ? undefined : `there is no ${STARTER} to start a gateway`;
}

export interface Gateway extends AsyncDisposable {
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A Ceph gateway of this run alone, with a store at the prefix; disposing of it takes its data away. */
export async function startGateway(prefix: string): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-s3-'));
  // Below the ports that systems give out on demand; the starter takes the next thirty too.
  const port = 20_000 + (process.pid % 250) * 40;
  const env = {
    ...process.env,
    S3_DIR: join(folder, 'gateway'),
    S3_PORT: String(port),
    S3_STORE: 'memstore',
  };
  const starter = (step: 'start' | 'wipe') =>
    promisify(execFile)(STARTER, [step], { env, timeout: START_MS });
  const wipe = async (): Promise<void> => {
    await starter('wipe');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { stdout } = await starter('start');
    const { S3_BUCKET, ...given } = parseEnv(stdout.trim().split('\n').at(-1)?.replaceAll(' ', '\n') ?? '');
    return {
      port: Number(new URL(given['S3_ENDPOINT'] ?? '').port),
      env: { ...given, OBJECT_STORE: `s3://${S3_BUCKET}/${prefix}` },
      [Symbol.asyncDispose]: wipe,
    };
  } catch (error) {
    await wipe();
    throw error;
  }
}

/** The store of the gateway, reached by this port: its own, or that of a proxy. */
export function storeThrough(env: Gateway['env'], port: number): Store {
  const { bucket, objectStore } = readSettings({ ...env, S3_ENDPOINT: `http://127.0.0.1:${port}` });
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  return openS3Store({ ...bucket, location: objectStore, credentials: { accessKeyId, secretAccessKey } });
}
