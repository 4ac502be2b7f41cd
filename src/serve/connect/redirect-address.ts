/** Where a code may be sent: exactly a registered address; on this computer any port (RFC 8252). */

const LONGEST = 500;
/** Printable ASCII without the backslash, which browsers read as a slash, and without a fragment. */
const PLAIN = /^[!-"$-[\]-~]+$/;
/** This computer. The port comes from the system when the client starts, so it may differ at each sign-in. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/;
/** Programs with a scheme of their own. Others must name it after a domain, as RFC 8252 asks: `com.example.app:`. */
const PROGRAMS = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:']);
const NAMED_AFTER_DOMAIN = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+:$/;

/** Why this address cannot be registered, in a few words; null if it can. */
export function refuseRedirect(text: string): string | null {
  if (text.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  const url = PLAIN.test(text) ? URL.parse(text) : null;
  if (url === null) return 'it is no address, or has a fragment';
  if (url.username + url.password !== '') return 'it holds a login';
  if (url.protocol === 'https:' && text.startsWith('https://')) return null;
  if (url.protocol === 'http:') return LOOPBACK.test(text) ? null : 'http is only for this computer';
  const isProgram = PROGRAMS.has(url.protocol) || NAMED_AFTER_DOMAIN.test(url.protocol);
  return isProgram && url.protocol !== 'https:' ? null : 'its scheme is no known one';
}

/** Whether a code may be sent to this address: equal to a registered one; on this computer the port may differ. */
export function isRegistered(asked: string, registered: readonly string[]): boolean {
  if (refuseRedirect(asked) !== null) return false;
  return registered.some((each) => withoutPort(each) === withoutPort(asked));
}

/** The address in words: its host, or a program of this computer. */
export function placeOf(address: string): string {
  if (LOOPBACK.test(address)) return 'a program on your computer';
  const { protocol, host } = new URL(address);
  return protocol === 'https:' ? host : `the program that opens ${protocol} addresses on your computer`;
}

/** The address with an answer in its query. */
export function withAnswer(address: string, answer: Readonly<Record<string, string>>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(answer).toString()}`;
}

function withoutPort(address: string): string {
  return address.replace(LOOPBACK, '$1');
}
