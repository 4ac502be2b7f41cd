/** A data folder of a test's own, the programs that were started on it, and the processes they left. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { sendSignal } from '../../src/processes.ts';
import { type As, type Environment, type Outcome, type Program, startProgram } from './program.ts';

const POLL_MS = 20;
const END_LIMIT_MS = 5_000;
/** Ctrl-C promises an end within this time. */
const STOP_LIMIT_MS = 5_000;

export class Folder implements AsyncDisposable {
  readonly path: string;
  readonly #programs: Program[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  /** A new folder, 0700: no other user may enter it. */
  static async make(): Promise<Folder> {
    return new Folder(await mkdtemp(join(tmpdir(), 'crossfoot-commands-')));
  }

  /** Starts `crossfoot <args>` on this folder, on any free port. */
  run(args: readonly string[], env: Environment = {}, as: Partial<As> = {}): Program {
    const program = startProgram(args, { DATA_DIR: this.path, PORT: '0', ...env }, as);
    this.#programs.push(program);
    return program;
  }

  /** `demo.env`, as a shell reads it. */
  async demo(): Promise<Readonly<Record<string, string>>> {
    return parseEnv(await readFile(join(this.path, 'demo.env'), 'utf8')) as Record<string, string>; // no value is absent
  }

  /** The processes that work on this folder, as `id command`. */
  processes(): Promise<readonly string[]> {
    return platform() === 'linux' ? processesInProc(this.path) : processesOfPs(this.path);
  }

  /** Waits, briefly, until no such process works on this folder, and gives those that still do. */
  async processesLeft(such: (line: string) => boolean = () => true): Promise<readonly string[]> {
    for (let waited = 0; ; waited += POLL_MS) {
      const left = (await this.processes()).filter(such);
      if (left.length === 0 || waited >= END_LIMIT_MS) return left;
      await sleep(POLL_MS);
    }
  }

  /** kill -9 to the PostgreSQL of this folder. Its sessions end by themselves. */
  async killPostgres(): Promise<void> {
    const mark = await readFile(join(this.path, 'postgres/data/postmaster.pid'), 'utf8');
    sendSignal(Number.parseInt(mark, 10), 'SIGKILL');
  }

  /** kill -9 to each of them. */
  async killAll(): Promise<void> {
    for (const line of await this.processes()) sendSignal(Number.parseInt(line, 10), 'SIGKILL');
  }

  /** Ends by their ids whatever a failed test left, and removes the folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.killAll();
    await Promise.all(this.#programs.map((program) => program.ended));
    await this.processesLeft();
    await rm(this.path, { recursive: true, force: true });
  }
}

/** How the program ended; null if it took longer than is promised. */
export function endedInTime({ ended }: Program): Promise<Outcome | null> {
  return Promise.race([ended, sleep(STOP_LIMIT_MS, null, { ref: false })]);
}

/** By environment (ours), by command line (the server) and by working folder (its sessions, which rename themselves). */
async function processesInProc(folder: string): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(
    ids.map(async (id) => {
      const [command, environment, place] = await Promise.all([
        readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''),
        readFile(`/proc/${id}/environ`, 'utf8').catch(() => ''),
        readlink(`/proc/${id}/cwd`).catch(() => ''),
      ]);
      const isOurs =
        command.includes(folder) || environment.includes(`DATA_DIR=${folder}\0`) || place.startsWith(folder);
      return isOurs ? [`${id} ${command.replaceAll('\0', ' ').trim()}`] : [];
    }),
  );
  return found.flat();
}

async function processesOfPs(folder: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-AEww', '-o', 'pid=,command=']);
  return stdout.split('\n').filter((line) => line.includes(folder));
}
