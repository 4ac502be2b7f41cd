/** One spoiled answer of the scripted S3. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type S3Objects, type S3Request, S3Refusal, answerTo, errorXml } from './s3-objects.ts';

export type Fault =
  /** An error, and nothing was applied. */
  | { readonly answer: number; readonly code: string; readonly headers?: Readonly<Record<string, string>> }
  /** An error though it was applied. */
  | { readonly appliedButAnswers: number; readonly code: string }
  /** No answer: the connection is reset before or after the request was applied. */
  | { readonly reset: 'before' | 'after' }
  /** Never an answer. */
  | { readonly silent: true }
  /** The right answer, so much later. */
  | { readonly late_ms: number }
  /** The body ends after so many bytes, though its announced length is right. */
  | { readonly cutAfter: number }
  /** The announced length is so much more than the body. */
  | { readonly announcesMore: number }
  /** No length is announced, and the body is this much longer. */
  | { readonly longerBy: number }
  /** Another object's bytes. */
  | { readonly otherBytes: Buffer };

interface Met {
  readonly request: S3Request;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly bucket: S3Objects;
}

/** Answers with the fault; false when the answer stays as it is, because it only comes late or the request is refused anyway. */
export async function spoil(fault: Fault, { request, incoming, outgoing, bucket }: Met): Promise<boolean> {
  if ('silent' in fault) return true;
  if ('late_ms' in fault) {
    await sleep(fault.late_ms);
    return false;
  }
  if ('answer' in fault) return refuse(outgoing, fault.answer, fault.code, fault.headers);
  if ('reset' in fault && fault.reset === 'before') return hangUp(incoming);
  let answer;
  try {
    answer = await answerTo(bucket, request);
  } catch (error) {
    if (error instanceof S3Refusal) return false;
    throw error;
  }
  if ('reset' in fault) return hangUp(incoming);
  if ('appliedButAnswers' in fault) return refuse(outgoing, fault.appliedButAnswers, fault.code);
  const { status, headers, body } = answer;
  if ('otherBytes' in fault) {
    outgoing.writeHead(status, { ...headers, 'content-length': fault.otherBytes.length });
    outgoing.end(fault.otherBytes);
  } else if ('longerBy' in fault) {
    const { 'content-length': _length, ...rest } = headers;
    outgoing.writeHead(status, rest);
    outgoing.end(Buffer.concat([body, Buffer.alloc(fault.longerBy, 'x')]));
  } else {
    const more = 'announcesMore' in fault ? fault.announcesMore : 0;
    outgoing.writeHead(status, { ...headers, 'content-length': body.length + more });
    outgoing.write('cutAfter' in fault ? body.subarray(0, fault.cutAfter) : body, () => hangUp(incoming));
    // A body of no bytes has no callback: the head goes out alone.
    outgoing.flushHeaders();
  }
  return true;
}

function hangUp(incoming: IncomingMessage): true {
  incoming.socket.destroy();
  return true;
}

function refuse(
  outgoing: ServerResponse,
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): true {
  outgoing.writeHead(status, { 'content-type': 'application/xml', ...headers });
  outgoing.end(errorXml(code));
  return true;
}
