/** The program as a newcomer starts it: a copy of this folder, an empty data folder, and `npm start`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, startEmbedded } from '../../src/embedded/embedded.ts';
import { sendSignal } from '../../src/processes.ts';

const TOP = resolve(import.meta.dirname, '../..');
/** Where `.ci/install` puts the packages of Python that pages use. */
const PYTHON = join(TOP, 'test/.tmp/journeys-python/bin');
const DUCKDB = fileURLToPath(import.meta.resolve('./duckdb.ts'));
const ASK_ASSISTANT = fileURLToPath(import.meta.resolve('./ask-assistant.ts'));
const OWN_PROGRAMS = /[/\\]node_modules[/\\]\.bin$/;

export class Clone implements AsyncDisposable {
  /** A path that a script must quote, as the home of a person may be. */
  readonly path: string;
  /** What a shell of that person has: another language and time zone than the machine of a developer. */
  readonly env: Record<string, string>;
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly #root: string;
  #program: ChildProcess | null = null;
  #postgres: EmbeddedPostgres | null = null;

  constructor() {
    this.#root = mkdtempSync(join(tmpdir(), 'crossfoot-journey-'));
    this.path = join(this.#root, "it's a clone");
    const [home, programs] = [join(this.#root, 'home'), join(this.#root, 'programs')];
    for (const folder of [this.path, home, programs]) mkdirSync(folder);
    const copy = `git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$1"`;
    const copied = spawnSync('bash', ['-o', 'pipefail', '-c', copy, 'copy', this.path], { cwd: TOP });
    if (copied.status !== 0) throw new Error(`the project could not be copied: ${String(copied.stderr)}`);
    symlinkSync(join(TOP, 'node_modules'), join(this.path, 'node_modules'));
    // An answer of 400 or more is a failure, also where a page leaves `--fail` out so that a person sees the answer.
    writeFileSync(join(home, '.curlrc'), 'fail\nsilent\nshow-error\n');
    const duckdb = `#!/bin/sh\nexec '${process.execPath}' '${DUCKDB}' "$@"\n`;
    writeFileSync(join(programs, 'duckdb'), duckdb);
    chmodSync(join(programs, 'duckdb'), 0o755);
    const inherited = (process.env['PATH'] ?? '').split(delimiter).filter((each) => !OWN_PROGRAMS.test(each));
    this.env = {
      PATH: [programs, ...(existsSync(PYTHON) ? [PYTHON] : []), ...inherited].join(delimiter),
      HOME: home,
      LANG: 'C',
      TZ: 'Asia/Kolkata',
      NODE: process.execPath,
      ASK_ASSISTANT,
    };
  }

  /** `npm start` on any free port, until it says `ready`. */
  async start(): Promise<void> {
    const program = spawn('npm', ['start'], {
      cwd: this.path,
      env: { ...this.env, PORT: '0', LOG_FORMAT: 'text' },
      // As a terminal starts it: a group of its own.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#program = program;
    this.stdout.length = 0;
    this.stderr.length = 0;
    const ready = Promise.withResolvers<void>();
    for (const stream of ['stdout', 'stderr'] as const) {
      createInterface({ input: program[stream] }).on('line', (line) => {
        this[stream].push(line);
        if (line.startsWith('ready ')) ready.resolve();
      });
    }
    const ended = once(program, 'exit').then(() => {
      throw new Error(`npm start ended:\n${this.stderr.join('\n')}`);
    });
    await Promise.race([ready.promise, ended]);
    ended.catch(() => null);
  }

  /** A PostgreSQL without a migration, as an administrator gives it. */
  async startPostgres(): Promise<void> {
    this.#postgres = await startEmbedded({ dataDir: join(this.#root, 'server'), durable: false });
    const { protocol, username, password, host } = new URL(this.#postgres.adminUrl);
    this.env['SERVER'] = `${protocol}//${username}:${password}@${host}`;
  }

  /** As Ctrl-C in the terminal of `npm start`. */
  async stop(): Promise<void> {
    const program = this.#program;
    this.#program = null;
    if (program === null || program.exitCode !== null || program.signalCode !== null) return;
    const exit = once(program, 'exit');
    sendSignal(-(program.pid ?? 0), 'SIGINT');
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#postgres?.stop();
    rmSync(this.#root, { recursive: true, force: true });
  }
}
