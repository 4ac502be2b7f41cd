import { CrossfootError } from '../errors.ts';

/** Segments begin with a letter or digit: no empty one, no `.` or `..`, nothing hidden, no blank, backslash or NUL. */
const KEY = /^v1(?:\/[A-Za-z0-9][A-Za-z0-9_.-]{0,127}){1,8}$/;

/** Refuses a key that is not ours, before it reaches a path or a request. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) refuse('key');
}

/** Refuses a listing prefix that is not a key followed by a slash. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/') || !KEY.test(prefix.slice(0, -1))) refuse('prefix');
}

// The key itself is left out of the message: it may be an attacker's text.
function refuse(what: string): never {
  throw new CrossfootError('store_key_invalid', `store: a ${what} is not made of plain segments below v1/.`);
}
