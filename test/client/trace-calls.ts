/**
 * Loaded into `pull.mjs` before it begins: writes each rename and flush into the file TRACE_TO, with paths relative to TRACE_ROOT.
 * Before the call that KILL_BEFORE names, it kills its process.
 */
import { appendFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';

const { TRACE_TO = '', TRACE_ROOT = '', KILL_BEFORE } = process.env;

function note(call: string, ...paths: readonly string[]): void {
  const line = [call, ...paths.map((path) => relative(TRACE_ROOT, path) || '.')].join(' ');
  if (line === KILL_BEFORE) process.kill(process.pid, 'SIGKILL');
  appendFileSync(TRACE_TO, `${line}\n`);
}

const { open, rename } = fs;
fs.rename = async (from, to) => {
  note('rename', String(from), String(to));
  await rename(from, to);
};
fs.open = async (path, ...more) => {
  const handle = await open(path, ...more);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => {
    note('flush', String(path));
    await sync();
  };
  return handle;
};
syncBuiltinESMExports();
