/** Where a customer's snapshots are delivered to: a folder or a bucket, apart from the object store and from other targets. */

/** `around`: the other lies inside. */
export type Overlap = 'around' | 'equal to' | 'inside';

/** A place of objects: the name of a bucket or of the file system, and the names of folders below it. */
interface Place {
  readonly in: string;
  readonly path: readonly string[];
}

/** How the target lies to the other place; null if they have no object in common. */
export function overlapOf(target: URL, other: URL): Overlap | null {
  const [own, theirs] = [placeOf(target), placeOf(other)];
  if (own.in !== theirs.in) return null;
  const common = Math.min(own.path.length, theirs.path.length);
  if (own.path.slice(0, common).some((name, index) => name !== theirs.path[index])) return null;
  if (own.path.length === theirs.path.length) return 'equal to';
  return own.path.length > theirs.path.length ? 'inside' : 'around';
}

/** The endpoint does not count: one store has many addresses, so buckets of one name count as one. */
function placeOf({ protocol, host, pathname }: URL): Place {
  const text = protocol === 'file:' ? decodeURIComponent(pathname) : pathname;
  return { in: `${protocol}//${host}`, path: text.split(/[/\\]/).filter((name) => name !== '') };
}

/** The address as it is stored: without a slash at its end. */
export function addressOf(target: URL): string {
  return target.href.replace(/\/+$/, '');
}
