/** What must hold for every answer, whatever was asked. */
import type { Answer } from './answer-reader.ts';

/** Words of the inside, which no refusal may hold. */
const INSIDE = /node_modules|\.ts:\d|\bat \w+ \(|pg_|\bselect\b.*\bfrom\b|\/tmp\//i;
const NO_ROUTE = 'There is no such route.';

/** What is wrong with an answer; undefined when nothing is. */
export function faultOf({ status, headers, body }: Answer, path: string): string | undefined {
  // 501 refuses a method that no server knows: the client's doing.
  if (status >= 500 && status !== 501) return `${status}: ${body.toString('utf8', 0, 200)}`;
  if (status === 0 || Number.isNaN(status)) return `no HTTP: ${headers.slice(0, 80)}`;
  if (!headers.includes('\r\nx-content-type-options: nosniff')) return `${status} without nosniff`;
  if (status < 400 || body.length === 0) return undefined;
  if (path.startsWith('/docs') && headers.includes('\r\ncontent-type: text/html')) return undefined;
  const text = body.toString();
  if (!hasShape(text, status, path)) return `${status} in another shape: ${text.slice(0, 200)}`;
  const inside = INSIDE.exec(text)?.[0];
  return inside === undefined ? undefined : `${status} says ${inside}: ${text.slice(0, 200)}`;
}

/** The one shape of refusals; the assistant's protocol has one of its own beside it. */
function hasShape(text: string, status: number, path: string): boolean {
  try {
    const said = JSON.parse(text) as { error?: Record<string, unknown>; jsonrpc?: unknown };
    const { error } = said;
    if (path === '/mcp' && said.jsonrpc === '2.0') return typeof error?.['message'] === 'string';
    const { status: told, message, ...more } = error ?? {};
    return (
      told === status &&
      typeof message === 'string' &&
      Object.keys(more).length === 0 &&
      Object.keys(said).length === 1
    );
  } catch {
    return false;
  }
}

/** Whether the handler of a route answered, and not what stands before it: parser, limits, tokens, parameters. */
export function isHandled({ status, body }: Answer): boolean {
  if (status < 400 || status === 412 || status === 416) return true;
  return status === 404 && body.length > 0 && !body.includes(NO_ROUTE);
}
