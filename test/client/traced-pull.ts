/** A pull whose renames and flushes are written down in their order, and which is killed before one of them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PULL_PROGRAMS, type PullProgram } from './pull-program.ts';

/** The same as `trace-calls.ts`, for Python: it loads a module of this name before any program. */
const SITE_CUSTOMIZE = `
import os, signal

def note(call, *paths):
    line = " ".join([call, *(os.path.relpath(path, os.environ["TRACE_ROOT"]) for path in paths)])
    if line == os.environ.get("KILL_BEFORE"):
        os.kill(os.getpid(), signal.SIGKILL)
    with open(os.environ["TRACE_TO"], "a") as file:
        file.write(line + "\\n")

def renaming(original):
    def call(source, target):
        note("rename", source, target)
        original(source, target)
    return call

def flushing(original):
    def call(number):
        note("flush", os.readlink(f"/proc/self/fd/{number}"))
        original(number)
    return call

os.rename, os.replace, os.fsync = renaming(os.rename), renaming(os.replace), flushing(os.fsync)
`;
const PRELOAD = new URL('./trace-calls.ts', import.meta.url).href;

export interface TracedPull {
  /** Null when it was killed. */
  readonly code: number | null;
  /** `flush <path>` or `rename <from> <to>`, each below the folder it pulls into; that folder is `.`. */
  readonly calls: readonly string[];
}

/** Pulls the newest snapshot from `url` into `to`. */
export async function tracePull(
  program: PullProgram,
  url: string,
  to: string,
  killBefore?: string,
): Promise<TracedPull> {
  const folder = await mkdtemp(join(tmpdir(), 'crossfoot-traced-'));
  try {
    await writeFile(join(folder, 'sitecustomize.py'), SITE_CUSTOMIZE);
    await writeFile(join(folder, 'calls'), '');
    const [runtime, script] = PULL_PROGRAMS[program];
    const before = program === 'node' ? ['--import', PRELOAD] : [];
    const env = {
      PATH: process.env['PATH'],
      CROSSFOOT_TOKEN: 'a token',
      PYTHONPATH: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      TRACE_TO: join(folder, 'calls'),
      TRACE_ROOT: to,
      ...(killBefore !== undefined && { KILL_BEFORE: killBefore }),
    };
    const args = [...before, script, '--url', url, '--to', to];
    const child = spawn(runtime, args, { env, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null]; // as Node documents it
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).trimEnd().split('\n');
    return { code, calls };
  } finally {
    await rm(folder, { recursive: true });
  }
}
