/** Preconditions on an entity tag, by RFC 9110 section 13. No response has a modification date, so dates never match. */

export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * Evaluates the preconditions of a GET or HEAD, in the order of section 13.2.2: `failed` (412) when If-Match does not name
 * the tag, `unchanged` (304) when If-None-Match does, else `send`.
 */
export function evaluatePreconditions(
  { ifMatch, ifNoneMatch }: Conditions,
  etag: string,
): 'failed' | 'send' | 'unchanged' {
  if (ifMatch !== undefined && !names(ifMatch, [etag])) return 'failed';
  // A weak comparison: a proxy that compresses makes the tag weak, and it still names the same version.
  if (ifNoneMatch !== undefined && names(ifNoneMatch, [etag, `W/${etag}`])) return 'unchanged';
  return 'send';
}

/** Whether a Range header counts: If-Range is absent or equals the strong tag. */
export function rangeCounts(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/**
 * Whether the request names this very version in If-Range or If-Match. `*` names none: it holds for the next version too.
 */
export function namesVersion(
  { ifMatch = '', ifRange }: { readonly ifMatch: string | undefined; readonly ifRange: string | undefined },
  etag: string,
): boolean {
  return ifRange?.trim() === etag || (ifMatch.trim() !== '*' && names(ifMatch, [etag]));
}

/** Our tags contain no comma, so splitting at commas is safe. */
function names(list: string, tags: readonly string[]): boolean {
  return list.trim() === '*' || list.split(',').some((tag) => tags.includes(tag.trim()));
}
