import { once } from 'node:events';
import { connect } from 'node:net';

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
  return { status: Number(headers.slice(9, 12)), headers, body: text.slice(end + 4) };
}
