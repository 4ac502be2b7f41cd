/** One snapshot pulled through a line that is cut at random bytes, by a program that is killed at random bytes. */
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TOKENS } from '../serve/fake-parts.ts';
import { COSTS, NEWER_ID, SNAPSHOT } from '../serve/stored-company.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { type PullProgram, startPull } from './pull-program.ts';
import { sha256 } from './scripted-server.ts';

/** What the newest snapshot of the stored company holds. */
const FILES: Readonly<Record<string, Buffer>> = { 'costs.parquet': COSTS, 'snapshot.parquet': SNAPSHOT };
const BYTES = COSTS.length + SNAPSHOT.length;
/** Far more runs than chance ever needs. */
const MAX_RUNS = 60;

export interface Interrupted {
  readonly cuts: number;
  readonly kills: number;
}

/** What anybody may see of a folder that is being filled: nothing of the snapshot, or all of it. */
async function requireWholeOrNothing(to: string): Promise<void> {
  const names = await readdir(to).catch(() => []);
  const visible = names.filter((name) => !name.startsWith('.')).toSorted();
  if (!visible.includes(NEWER_ID)) {
    if (visible.length > 0) throw new Error(`seen before the snapshot: ${visible.join(', ')}`);
    return;
  }
  const found = (await readdir(join(to, NEWER_ID))).toSorted();
  const expected = [...Object.keys(FILES), 'manifest.json'].toSorted();
  if (found.join() !== expected.join()) throw new Error(`the snapshot has ${found.join(', ')}`);
  for (const [name, bytes] of Object.entries(FILES)) {
    const here = await readFile(join(to, NEWER_ID, name));
    if (sha256(here) !== sha256(bytes)) throw new Error(`${name} is not the file that was published`);
  }
}

/** After the run that says it is done: the pointer, the control file, and nothing left over. */
async function requireFinished(to: string): Promise<void> {
  const names = (await readdir(to)).toSorted();
  if (names.join() !== [NEWER_ID, 'latest', 'latest.json'].join())
    throw new Error(`left: ${names.join(', ')}`);
  const pointed = await readlink(join(to, 'latest'));
  const control = JSON.parse(await readFile(join(to, 'latest.json'), 'utf8')) as { snapshot_id: string };
  if (pointed !== NEWER_ID || control.snapshot_id !== NEWER_ID) throw new Error(`latest is ${pointed}`);
}

/** Runs the program until it says that all is here; throws when it ever shows, or says, anything else. */
export async function pullInterrupted(
  program: PullProgram,
  port: number,
  random: () => number,
): Promise<Interrupted> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-interrupted-'));
  const to = join(folder, 'snapshots');
  let kills = 0;
  let cuts = 0;
  try {
    for (let run = 0; run < MAX_RUNS; run += 1) {
      // Two of three connections are cut, in the first run all; two of three runs are killed. What was brought stays.
      const killAt = random() < 2 / 3 ? random() * BYTES : Infinity;
      const running: { current?: ReturnType<typeof startPull> } = {};
      const proxy = await startCuttingProxy(port, {
        allowance: () => (run === 0 || random() < 2 / 3 ? Math.floor(random() * BYTES) : null),
        onPassed: (bytes) => {
          if (bytes >= killAt) running.current?.kill();
        },
      });
      running.current = startPull(
        program,
        TOKENS.personal,
        '--url',
        `http://127.0.0.1:${proxy.port}`,
        '--to',
        to,
      );
      const { code, stderr } = await running.current.ended;
      cuts += proxy.cuts();
      await proxy.close();
      await requireWholeOrNothing(to);
      if (code === null) kills += 1;
      // Killed after its last word, it has done all; the next run finds nothing new.
      else if (code === 0 || (code === 10 && kills > 0)) {
        await requireFinished(to);
        return { cuts, kills };
      } else if (code !== 1) throw new Error(`ended with ${code}: ${stderr}`);
    }
    throw new Error(`not here after ${MAX_RUNS} runs`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
