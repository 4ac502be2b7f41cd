/** The real file system with a counter on every call, one of which can be made to fail. */
import * as realFiles from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FileSystem } from '../../src/store/directories.ts';

interface Options {
  /** Instead of the real one. */
  readonly fs?: FileSystem;
  /** The number of the call that fails, counted from 1. */
  readonly failAt?: number;
  readonly code?: string;
  readonly onCall?: (call: string) => void;
}

/** `failed()` names the call that was made to fail, if it was reached. */
export function failingFileSystem(options: Options): FileSystem & { failed(): string | null } {
  const promises = options.fs ?? realFiles;
  let calls = 0;
  let failed: string | null = null;
  let root = '';

  function count(call: string, path: string): void {
    calls += 1;
    const below = path.startsWith(root) ? path.slice(root.length + 1) || '.' : path;
    const name = `${call} ${below.replace(/^tmp\/.*/, 'tmp/*')}`;
    options.onCall?.(name);
    if (calls !== options.failAt) return;
    failed = name;
    throw Object.assign(new Error(`injected ${options.code}`), { code: options.code });
  }

  function watch(handle: FileHandle, path: string): FileHandle {
    return new Proxy(handle, {
      get(target, property) {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return async (...parameters: unknown[]): Promise<unknown> => {
          // `await using` closes a file, too. A file is closed even when closing reports an error.
          const closes = property === 'close' || property === Symbol.asyncDispose;
          if (closes) await target.close();
          count(closes ? 'close' : String(property), path);
          return closes ? undefined : await Reflect.apply(member, target, parameters);
        };
      },
    });
  }

  const watched = {
    constants: promises.constants,
    async link(from: string, to: string) {
      count('link', to);
      await promises.link(from, to);
    },
    async mkdir(path: string, mode: number) {
      if (root === '') root = path;
      count('mkdir', path);
      await promises.mkdir(path, mode);
    },
    async open(path: string, flags: string | number, mode?: number) {
      count('open', path);
      return watch(await promises.open(path, flags, mode), path);
    },
    async readdir(path: string, how: { withFileTypes: true }) {
      count('readdir', path);
      return await promises.readdir(path, how);
    },
    async realpath(path: string) {
      count('realpath', path);
      return await promises.realpath(path);
    },
    async unlink(path: string) {
      count('unlink', path);
      await promises.unlink(path);
    },
    failed: () => failed,
  };
  // The store passes paths as strings and asks for nothing beyond these parameters.
  return watched as unknown as FileSystem & { failed(): string | null };
}
