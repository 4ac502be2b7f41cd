/**
 * Serves the part of S3 that a store uses, over real HTTP in this process. Without a script it keeps the promises of S3. A quirk
 * breaks one promise for all requests; a fault spoils one answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fault, spoil } from './s3-faults.ts';
import { S3Refusal, type S3Objects, type S3Request, answerTo, errorXml } from './s3-objects.ts';

export const BUCKET = 'scripted';

export interface ScriptedS3 extends AsyncDisposable {
  readonly endpoint: string;
  /** What is stored and how the store behaves. */
  readonly bucket: S3Objects;
  /** Everything asked since the start, faults included. */
  readonly asked: readonly S3Request[];
  /** Sets the function that chooses the fault, if any, of each later request. */
  script(fault: Script): void;
  /** Gives the next requests of `method` these faults, one each; then none. */
  next(method: string, ...faults: readonly Fault[]): void;
}

type Script = (request: S3Request) => Fault | null;

const noFault: Script = () => null;

/** Starts an empty store on a free port of this machine. */
export async function startScriptedS3(): Promise<ScriptedS3> {
  const bucket: S3Objects = {
    objects: new Map(),
    uploads: new Map(),
    quirks: new Set(),
    hidden: new Set(),
    pageKeys: 1_000,
  };
  const asked: S3Request[] = [];
  let faultOf = noFault;

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await read(incoming);
    asked.push(request);
    const fault = faultOf(request);
    if (fault !== null && (await spoil(fault, { request, incoming, outgoing, bucket }))) return;
    try {
      const { status, headers, body } = await answerTo(bucket, request);
      outgoing.writeHead(status, { 'content-length': body.length, ...headers });
      outgoing.end(request.method === 'HEAD' ? undefined : body);
    } catch (error) {
      if (!(error instanceof S3Refusal)) throw error;
      const body = errorXml(error.code);
      outgoing.writeHead(error.status, { 'content-type': 'application/xml', 'content-length': body.length });
      outgoing.end(request.method === 'HEAD' ? undefined : body);
    }
  }

  const server = createServer((incoming, outgoing) => {
    // What fails here, such as a client that hung up, ends the connection without an answer.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    asked,
    script(fault) {
      faultOf = fault;
    },
    next(method, ...faults) {
      const left = [...faults];
      faultOf = (request) => (request.method === method ? (left.shift() ?? null) : null);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(incoming: IncomingMessage): Promise<S3Request> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) pieces.push(piece);
  const url = new URL(incoming.url ?? '/', 'http://s3');
  const [, name = '', ...rest] = url.pathname.split('/');
  return {
    method: incoming.method ?? '',
    bucket: name,
    key: decodeURIComponent(rest.join('/')),
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(pieces),
  };
}
