/** Reads what strace wrote down of opened files. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const OPENED = /\b(?:openat2?|open|creat)\((?:AT_FDCWD, |\d+, )?"((?:[^"\\]|\\.)*)"(\.\.\.)?/;
const MAX = 20;

/** What was opened after the first `start` bytes were written: how often, and each path beyond the fence once. */
export async function openedSince(
  trace: string,
  start: number,
  fence: readonly string[],
): Promise<{ readonly opened: number; readonly elsewhere: readonly string[] }> {
  const elsewhere = new Set<string>();
  let opened = 0;
  for await (const line of createInterface({
    input: createReadStream(trace, { encoding: 'latin1', start }),
  })) {
    const [, path] = OPENED.exec(line) ?? [];
    if (path === undefined) continue;
    opened += 1;
    const absolute = resolve(path);
    if (elsewhere.size < MAX && !fence.some((begin) => absolute.startsWith(begin))) elsewhere.add(path);
  }
  return { opened, elsewhere: [...elsewhere] };
}
