/** A lane of the peers' trial in a process of its own, which takes jobs as lines and answers each with one line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endedSeconds, peakBytes, treeSeconds } from '../process-tree.ts';
import type { LaneJob } from './lane-job.ts';

export interface Lane {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What one job took. */
export interface LaneRun {
  readonly wall_s: number;
  /** Processor time of the lane's process. */
  readonly client_s: number;
  /** Processor time of PostgreSQL, all its processes. */
  readonly postgres_s: number;
  /** The most memory that the lane's process has held so far. */
  readonly peak_bytes: number;
  /** The rows of each table. */
  readonly rows: readonly number[];
}

/** The processor time of the lane's process and of PostgreSQL together. */
export function cpuOf({ client_s, postgres_s }: LaneRun): number {
  return client_s + postgres_s;
}

/** One job in a process that is started for it and ends with it; `postmaster` is PostgreSQL's first process. */
export async function runFresh(lane: Lane, job: LaneJob, postmaster: number): Promise<LaneRun> {
  const before = { client_s: endedSeconds(process.pid), postgres_s: treeSeconds(postmaster) };
  const began = performance.now();
  const running = new LaneProcess(lane);
  const rows = await running.run(job);
  const peak_bytes = running.peakBytes();
  await running.end();
  const wall_s = (performance.now() - began) / 1000;
  return {
    wall_s,
    client_s: endedSeconds(process.pid) - before.client_s,
    postgres_s: treeSeconds(postmaster) - before.postgres_s,
    peak_bytes,
    rows,
  };
}

/** A process that has done a job already, so that the next one finds it warm. */
export async function warmUp(lane: Lane, job: LaneJob): Promise<LaneProcess> {
  const running = new LaneProcess(lane);
  await running.run(job);
  return running;
}

class LaneProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<unknown[]>;

  constructor({ command, args, env }: Lane) {
    this.#child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'exit');
    const { stdout } = this.#child;
    if (stdout === null) throw new Error('a lane without its standard output');
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** The rows of each table of the job. */
  async run(job: LaneJob): Promise<readonly number[]> {
    this.#child.stdin?.write(`${JSON.stringify(job)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`${this.#child.spawnargs.join(' ')} ended without an answer`);
    return (JSON.parse(value) as { readonly rows: readonly number[] }).rows; // the lanes write nothing else
  }

  /** One job of this process, which stays. */
  async measure(job: LaneJob, postmaster: number): Promise<LaneRun> {
    const pid = this.#child.pid ?? 0;
    const before = { client_s: treeSeconds(pid), postgres_s: treeSeconds(postmaster) };
    const began = performance.now();
    const rows = await this.run(job);
    const wall_s = (performance.now() - began) / 1000;
    return {
      wall_s,
      client_s: treeSeconds(pid) - before.client_s,
      postgres_s: treeSeconds(postmaster) - before.postgres_s,
      peak_bytes: this.peakBytes(),
      rows,
    };
  }

  peakBytes(): number {
    return peakBytes(this.#child.pid ?? 0);
  }

  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#ended;
  }
}
