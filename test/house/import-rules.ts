/** The rules about who imports whom. */
import { posix } from 'node:path';
import { NEVER_REACHED, roomOf } from './rooms.ts';
import type { Source } from './source.ts';

/** Every file of ours lives in a room, two folders deep at most. */
export function refuseHomeless(files: readonly Source[]): string[] {
  return files.flatMap(({ path }) => {
    if (roomOf(path) === undefined) return [`${path}: lives in no room`];
    return path.split('/').length > 4 ? [`${path}: lies deeper than two folders`] : [];
  });
}

/** What no product code imports. */
const OUTSIDE = ['jobs', 'tools', 'test'];

/** A room imports only the rooms it may; product code imports no job, tool or test. */
export function refuseForbiddenRooms(files: readonly Source[]): string[] {
  return files.flatMap((file) => {
    const room = roomOf(file.path);
    return localImports(file).flatMap(({ target }) => {
      const other = roomOf(target);
      if (room === undefined || other === undefined) return [];
      const allowed = room.mayImport === 'everything' || room.mayImport.includes(other.name);
      const inward = room.name === 'test' || room.name === other.name || !OUTSIDE.includes(other.name);
      return allowed && inward ? [] : [`${file.path}: ${room.name} may not import ${other.name} (${target})`];
    });
  });
}

/** What must be able to disagree is not reached, not even through others. */
export function refuseReached(files: readonly Source[]): string[] {
  const next = graphOf(files, true);
  return NEVER_REACHED.flatMap(({ from, rooms }) =>
    files
      .filter((file) => roomOf(file.path)?.name === from)
      .flatMap((file) =>
        [...reachable(next, file.path)]
          .filter((path) => rooms.includes(roomOf(path)?.name ?? ''))
          .map((path) => `${file.path}: reaches ${path}`),
      ),
  );
}

/** No file needs itself, not even for a type: what two files share stands in a third. */
export function refuseCycles(files: readonly Source[]): string[] {
  const next = graphOf(files, true);
  return files
    .filter(({ path }) =>
      [...(next.get(path) ?? [])].some((target) => target === path || reachable(next, target).has(path)),
    )
    .map(({ path }) => `${path}: is part of an import cycle`);
}

/** A thing is imported from the file where it lives, never handed on by another. */
export function refuseBarrels(files: readonly Source[]): string[] {
  return files.flatMap(({ path, imports }) => {
    const faults = imports.filter((each) => each.handsOn).map((each) => `${path}: hands on ${each.from}`);
    return path.endsWith('/index.ts') ? [...faults, `${path}: is a barrel by name`] : faults;
  });
}

/** The files of ours that a file imports, as paths from the top. */
function localImports(file: Source): { target: string; typeOnly: boolean }[] {
  return file.imports
    .filter((each) => each.from.startsWith('.'))
    .map((each) => ({ target: posix.join(posix.dirname(file.path), each.from), typeOnly: each.typeOnly }));
}

/** Which files of ours each file imports. */
export function graphOf(files: readonly Source[], withTypes: boolean): Map<string, Set<string>> {
  return new Map(
    files.map((file) => {
      const counted = localImports(file).filter((each) => withTypes || !each.typeOnly);
      return [file.path, new Set(counted.map((each) => each.target))];
    }),
  );
}

/** All that a file imports, and what that imports. */
export function reachable(next: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const target of next.get(path) ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      open.push(target);
    }
  }
  return seen;
}
