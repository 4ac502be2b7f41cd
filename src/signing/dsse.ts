/** The audit as a signed statement: in-toto's Statement v1 in a DSSE envelope. Tools of other makers can check it. */
import { sign, verify } from 'node:crypto';
import { z } from 'zod';
import { isValidOn, type PublicKeys, type SigningKey } from './keys.ts';
import type { Checked } from './sshsig.ts';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
/** The type of the predicate: the report of `audit.json`, and the digest of the control totals that it compared. */
const PREDICATE_TYPE = 'urn:crossfoot:audit:v1';

export interface AuditStatement {
  /** Each table's file with its SHA-256 in hex. */
  readonly subjects: readonly { readonly name: string; readonly sha256: string }[];
  readonly predicate: unknown;
}

/** The envelope as JSON. The same statement and key always give the same bytes. */
export function auditEnvelope(
  { subjects, predicate }: AuditStatement,
  { key, public_key }: SigningKey,
): Buffer {
  const payload = statement({ subjects, predicate });
  return encode(payload, public_key.key_id, sign(null, preAuthenticated(payload), key));
}

function encode(payload: Buffer, keyid: string, signature: Buffer): Buffer {
  return Buffer.from(
    JSON.stringify({
      payload: payload.toString('base64'),
      payloadType: PAYLOAD_TYPE,
      signatures: [{ keyid, sig: signature.toString('base64') }],
    }),
  );
}

const envelope = z.object({
  payload: z.base64(),
  payloadType: z.literal(PAYLOAD_TYPE),
  signatures: z.tuple([z.object({ keyid: z.string(), sig: z.base64() })]),
});

/**
 * Checks that the bytes are the envelope of this statement. `day` is the day of signing, `YYYY-MM-DD` in UTC: the key must be
 * valid on it.
 */
export function checkEnvelope(
  bytes: Uint8Array,
  expected: AuditStatement,
  { keys, day }: { readonly keys: PublicKeys; readonly day: string },
): Checked {
  const read = envelope.safeParse(parseJson(bytes));
  if (!read.success) return { outcome: 'invalid', why: 'is no DSSE envelope with one signature' };
  const [{ keyid, sig }] = read.data.signatures;
  const payload = Buffer.from(read.data.payload, 'base64');
  if (!payload.equals(statement(expected))) {
    return { outcome: 'invalid', why: 'states other files or another audit than the manifest' };
  }
  // Blanks, other members and other base64 of the same bytes would go unnoticed.
  if (!encode(payload, keyid, Buffer.from(sig, 'base64')).equals(bytes)) {
    return { outcome: 'invalid', why: 'has other bytes than this program writes' };
  }
  const known = keys.get(keyid);
  if (known === undefined) return { outcome: 'unknown-key', key_id: keyid };
  return isValidOn(known, day) &&
    verify(null, preAuthenticated(payload), known.key, Buffer.from(sig, 'base64'))
    ? { outcome: 'valid', key_id: keyid }
    : { outcome: 'invalid', why: `does not match its signature by the key ${keyid}` };
}

function statement({ subjects, predicate }: AuditStatement): Buffer {
  return Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      predicateType: PREDICATE_TYPE,
      predicate,
    }),
  );
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
}

/** What DSSE signs: the payload with its type and the lengths of both. */
function preAuthenticated(payload: Buffer): Buffer {
  const type = `${Buffer.byteLength(PAYLOAD_TYPE)} ${PAYLOAD_TYPE}`;
  return Buffer.concat([Buffer.from(`DSSEv1 ${type} ${payload.length} `), payload]);
}
