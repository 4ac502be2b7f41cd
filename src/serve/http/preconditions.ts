/** Preconditions on an entity tag, by RFC 9110 section 13. Nothing here has a modification date, so dates never hold. */

export interface Conditions {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * What a GET or HEAD of something with that strong tag gets, in the order of section 13.2.2: `failed` (412) when
 * If-Match names others, `unchanged` (304) when If-None-Match names it, else `send`.
 */
export function judge({ ifMatch, ifNoneMatch }: Conditions, etag: string): 'failed' | 'send' | 'unchanged' {
  if (ifMatch !== undefined && !names(ifMatch, [etag])) return 'failed';
  // The comparison is weak: a tag made weak on the way, by a proxy that compressed, still names the same bytes.
  if (ifNoneMatch !== undefined && names(ifNoneMatch, [etag, `W/${etag}`])) return 'unchanged';
  return 'send';
}

/** Whether a Range header counts: without If-Range, or when that is this very strong tag. */
export function rangeCounts(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

/** Our tags have no comma, so that what stands between two commas is one of them or none. */
function names(list: string, tags: readonly string[]): boolean {
  return list.trim() === '*' || list.split(',').some((tag) => tags.includes(tag.trim()));
}
