import { once } from 'node:events';
import { connect } from 'node:net';
import { ERROR_SCHEMA, faultsOfBody } from '../contract/contract-check.ts';

/** Sends these very bytes on a fresh connection and gives all that came back until the other side closed it. */
export async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => socket.destroy()); // a reset ends the exchange like a close does
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** The parts of a raw answer. */
export function parseAnswer(text: string): { status: number; headers: string; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end).toLowerCase();
  const status = Number(headers.slice(9, 12));
  const body = text.slice(end + 4);
  holdRefusal(status, body);
  return { status, headers, body };
}

/** Every refusal, also that of Node below the application, has the one shape of the contract; HEAD has no body. */
function holdRefusal(status: number, body: string): void {
  const faults = status < 400 || body === '' ? [] : faultsOfBody(ERROR_SCHEMA, JSON.parse(body));
  if (faults.length > 0) throw new Error(`a refusal with ${status}: ${faults.join('; ')}`);
}

/** What a client sees that checks the promised length: `cut` when the body ended before it. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly cut: boolean;
}

/** One request on a connection of its own, with a bearer token. */
export async function ask(
  port: number,
  path: string,
  {
    method = 'GET',
    token,
    headers = {},
  }: { method?: string; token: string; headers?: Record<string, string> },
): Promise<Seen> {
  const lines = Object.entries({
    host: 'x',
    connection: 'close',
    authorization: `Bearer ${token}`,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = await exchange(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...rest] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const pairs = rest.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const answered = Object.fromEntries(pairs);
  const body = Buffer.from(end === -1 ? '' : text.slice(end + 4), 'latin1');
  const bodiless = method === 'HEAD' || first.includes(' 304 ');
  const promised = bodiless ? 0 : Number(answered['content-length'] ?? Number.NaN);
  const status = Number(first.slice(9, 12));
  const cut = body.length !== promised;
  if (!cut) holdRefusal(status, body.toString());
  return { status, headers: answered, body, cut };
}
