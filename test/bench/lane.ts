/**
 * A kept connection of a client that holds nothing of what it is told: all answers come into one buffer. A client that
 * makes a buffer for each piece is stopped by its own collector every hundred answers, for ten milliseconds.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const BUFFER_BYTES = 256 * 1024;
const END_OF_HEAD = '\r\n\r\n';

/** How an answer came. */
export interface Answered {
  readonly status: number;
  /** Of its body. */
  readonly bytes: number;
  /** Milliseconds to its first byte. */
  readonly first_byte_ms: number;
  /** Milliseconds to its last. */
  readonly whole_ms: number;
}

/** The answer that is coming. */
interface Coming {
  readonly began: number;
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: Error) => void;
  head: string;
  first_byte_ms: number;
  status: number;
  bytes: number;
  /** Of the body; not known before the head is whole. */
  left: number | undefined;
}

export class Lane implements Disposable {
  readonly #socket: Socket;
  #coming: Coming | undefined;

  private constructor(port: number) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(BUFFER_BYTES),
        callback: (length, buffer) => this.#take(Buffer.from(buffer.buffer, buffer.byteOffset, length)),
      },
    });
    this.#socket.on('error', (error) => this.#coming?.reject(error));
    this.#socket.on('close', () => this.#coming?.reject(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<Lane> {
    const lane = new Lane(port);
    await once(lane.#socket, 'connect');
    return lane;
  }

  /** Asks for a path, by POST with a body; one at a time. Only answers that say how long they are can be taken. */
  ask(path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Answered> {
    const { promise, resolve, reject } = Promise.withResolvers<Answered>();
    const began = performance.now();
    this.#coming = {
      began,
      resolve,
      reject,
      head: '',
      first_byte_ms: 0,
      status: 0,
      bytes: 0,
      left: undefined,
    };
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const fields = Object.entries({ host: '127.0.0.1', ...headers, ...length }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const method = body === undefined ? 'GET' : 'POST';
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${fields.join('\r\n')}${END_OF_HEAD}${body ?? ''}`);
    return promise;
  }

  [Symbol.dispose](): void {
    this.#coming = undefined;
    this.#socket.destroy();
  }

  #take(piece: Buffer): boolean {
    const coming = this.#coming;
    if (coming === undefined) return true;
    const body = coming.left === undefined ? this.#takeHead(coming, piece) : piece.length;
    coming.bytes += body;
    if (coming.left === undefined) return true;
    coming.left -= body;
    if (coming.left > 0) return true;
    this.#coming = undefined;
    const { status, bytes, first_byte_ms, began } = coming;
    coming.resolve({ status, bytes, first_byte_ms, whole_ms: performance.now() - began });
    return true;
  }

  /** Gives how much of the piece is body already. */
  #takeHead(coming: Coming, piece: Buffer): number {
    if (coming.head === '') coming.first_byte_ms = performance.now() - coming.began;
    const known = coming.head.length;
    coming.head += piece.toString('latin1');
    const end = coming.head.indexOf(END_OF_HEAD);
    if (end === -1) return 0;
    const length = /^content-length: *(\d+)/im.exec(coming.head.slice(0, end))?.[1];
    if (length === undefined) {
      coming.reject(new Error(`an answer that does not say how long it is: ${coming.head.slice(0, end)}`));
      return 0;
    }
    coming.status = Number(coming.head.slice(9, 12));
    coming.left = Number(length);
    return known + piece.length - end - END_OF_HEAD.length;
  }
}
