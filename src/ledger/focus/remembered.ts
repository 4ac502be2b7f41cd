/** Reading what repeats: the millions of cells of a bill have few different texts. */

/** `read`, which remembers what it found, for at most `most` texts or numbers; then it begins anew. */
export function remembered<Key, Found extends {} | null>(
  read: (key: Key) => Found,
  most: number,
): (key: Key) => Found {
  const known = new Map<Key, Found>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size === most) known.clear();
    const found = read(key);
    known.set(key, found);
    return found;
  };
}
