/** One terminal of a reader: a bash that keeps its folder and its variables from block to block. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

export interface Ran {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

export class Session implements Disposable {
  readonly #bash: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;
  readonly #over: Promise<false>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'crossfoot-session-'));

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env });
    this.#lines = createInterface({ input: this.#bash.stdout });
    this.#over = once(this.#bash, 'exit').then(() => false as const);
    // A failed line ends the shell; programs in other languages read the variables.
    this.#bash.stdin.write('set -eao pipefail\n');
  }

  /** Runs code; after a failure the session is over. */
  async run(language: string, code: string): Promise<Ran> {
    const [step, out, err] = ['step', 'stdout', 'stderr'].map((name) => join(this.#folder, name));
    if (step === undefined || out === undefined || err === undefined) throw new Error('unreachable');
    for (const path of [out, err]) writeFileSync(path, '');
    writeFileSync(step, `${code}\n`);
    const isOver = this.#bash.exitCode !== null || this.#bash.signalCode !== null;
    if (isOver) return { ok: false, stdout: '', stderr: 'an earlier block of the page failed' };
    const ended = Promise.race([once(this.#lines, 'line').then(() => true), this.#over]);
    this.#bash.stdin.write(`{ ${command(language, step)}; } > ${out} 2> ${err}; echo\n`);
    const ok = await ended;
    return { ok, stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
  }

  [Symbol.dispose](): void {
    this.#bash.stdin.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

// pyarrow 25 sometimes aborts while Python takes its threads down, after the block has run and printed all.
const PYTHON =
  'import os, runpy, sys; runpy.run_path(sys.argv[1], run_name="__main__"); sys.stdout.flush(); os._exit(0)';

function command(language: string, step: string): string {
  if (language === 'sql') return `\${SQL:-duckdb} < ${step}`;
  if (language === 'js') return `node --input-type=module < ${step}`;
  if (language === 'python') return `python3 -c '${PYTHON}' ${step} < /dev/null`;
  return `. ${step} < /dev/null`;
}
