import { CrossfootError } from '../errors.ts';

/** Each segment begins with a letter or digit, so none is empty, `.`, `..` or hidden. None has a blank, a backslash or NUL. */
const KEY = /^v1(?:\/[A-Za-z0-9][A-Za-z0-9_.~-]{0,127}){1,8}$/;

/** The keys of a store that snapshots are delivered to. */
export const DELIVERED_KEY =
  /^(?:latest\.json|(?:snapshots\/\d{8}T\d{6}Z|probe)\/[A-Za-z0-9][A-Za-z0-9_.~-]{0,127})$/;

/** Throws for a malformed key, before it gets into a path or a request. */
export function checkKey(key: string, form: RegExp = KEY): void {
  if (!form.test(key)) refuse('key');
}

/** Throws for a listing prefix that is not a key followed by a slash. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/') || !KEY.test(prefix.slice(0, -1))) refuse('prefix');
}

// The message omits the key, because an attacker may have chosen it.
function refuse(what: string): never {
  throw new CrossfootError('store_key_invalid', `store: a ${what} is not made of plain segments below v1/.`);
}
