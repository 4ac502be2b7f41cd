/** The real program on a ledger and a folder store of its own, by whatever clocks a campaign sets. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Folder } from '../commands/instances.ts';
import { issueToken } from '../run/server/service-harness.ts';
import type { Environment, Outcome, Program } from '../commands/program.ts';
import { createDatabase } from '../support/database.ts';
import { type Ahead, type ClockedCluster, clockedProgram } from './moved-clocks.ts';
import { SEED } from '../support/signing.ts';

const POLL_MS = 250;
const WAIT_LIMIT_MS = 400_000;
const HOUR_MS = 3_600_000;
const KEY = 'a key of this campaign that signs nothing of worth';

interface Published {
  readonly snapshot_id: string;
  readonly night: string;
}

export interface ClocksHarness extends AsyncDisposable {
  /** The night that is due by the right clock. */
  readonly night: string;
  start(ahead: Ahead, ...args: readonly string[]): Program;
  run(ahead: Ahead, ...args: readonly string[]): Promise<Outcome>;
  /** The same; throws unless it ends well. */
  mustRun(ahead: Ahead, ...args: readonly string[]): Promise<readonly string[]>;
  /** The entries of the publish log of an account. */
  log(account: number): Promise<readonly Published[]>;
  /** Every file of the store but its probes. */
  files(): Promise<readonly string[]>;
  queued(): Promise<number>;
  /** The id of the snapshot that a server sends as the latest of account 1. */
  served(): Promise<string>;
}

/** Opens it on a clone of the company, with nothing published. */
export async function openClocksHarness({ cluster }: ClockedCluster): Promise<ClocksHarness> {
  await using made = new AsyncDisposableStack();
  const folder = made.use(await Folder.make());
  const database = await createDatabase('template_company', cluster);
  const begun = new Date(Date.now() - HOUR_MS);
  const env: Environment = {
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    SIGNING_KEYS: SEED,
    SECRET_KEYS: KEY,
    // Due within the last hour, and not again before the campaign is over.
    SCHEDULE: `0 ${begun.getUTCHours()} * * *`,
    JITTER_SECONDS: '0',
  };
  const objects = join(folder.path, 'objects');
  const start: ClocksHarness['start'] = (ahead, ...args) =>
    folder.run(args, { ...env, LOG_LEVEL: args[0] === 'work' ? 'info' : 'warn', ...clockedProgram(ahead) });
  const all = made.move();
  return {
    night: begun.toISOString().slice(0, 10),
    start,
    run: (ahead, ...args) => start(ahead, ...args).ended,
    async mustRun(ahead, ...args) {
      const { code, stdout, stderr } = await start(ahead, ...args).ended;
      if (code === 0) return stdout;
      throw new Error(`${args.join(' ')} ended with ${code}: ${stderr.join(' | ')}`);
    },
    async log(account) {
      const entries = join(objects, `v1/a/${account}/log`);
      const names = await readdir(entries).catch((): string[] => []);
      const texts = names.toSorted().map((name) => readFile(join(entries, name), 'utf8'));
      return (await Promise.all(texts)).map((text) => JSON.parse(text) as Published); // as the program writes it
    },
    async files() {
      const names = await readdir(join(objects, 'v1/a'), { recursive: true }).catch((): string[] => []);
      return names.toSorted();
    },
    async queued() {
      const { rowCount } = await database.pool('cf_service').query('select from ops.job');
      return rowCount ?? 0;
    },
    async served() {
      const { token } = await issueToken(database);
      const server = start({}, 'serve');
      try {
        const origin = (await server.said(/^ready /)).replace(/^ready /, '');
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(`${origin}/v1/reporting/latest`, { headers });
        const { snapshot_id } = (await answer.json()) as { snapshot_id?: string }; // the manifest's field
        return snapshot_id ?? `${answer.status}`;
      } finally {
        await stop(server);
      }
    },
    async [Symbol.asyncDispose]() {
      await all.disposeAsync();
      await database.drop();
    },
  };
}

/** Stops a program as a supervisor does, and waits for its end. */
export async function stop(program: Program): Promise<void> {
  program.signal('SIGTERM');
  await program.ended;
}

/** Polls until it holds; throws when it does not in minutes. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await holds()); waited += POLL_MS) {
    if (waited > WAIT_LIMIT_MS) throw new Error(`${what} has not come`);
    await sleep(POLL_MS);
  }
}
