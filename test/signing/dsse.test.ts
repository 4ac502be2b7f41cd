/** The envelope of the audit: what is accepted as it, and which bytes, keys and days are not. */
import { sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { auditEnvelope, checkEnvelope } from '../../src/signing/dsse.ts';
import { keysById, readPublicKey, signingKeyOf } from '../../src/signing/keys.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED, signingWith } from '../support/signing.ts';

const statement = {
  subjects: [
    { name: 'costs.parquet', sha256: 'a'.repeat(64) },
    { name: 'snapshot.parquet', sha256: 'b'.repeat(64) },
  ],
  predicate: { audit: { passed: true }, control_sha256: 'c'.repeat(64) },
};
const bytes = auditEnvelope(statement, signingKeyOf(SEED));
const text = bytes.toString();
const day = '2026-03-01';
const { keys } = signingWith();

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}
const envelope = JSON.parse(text) as Envelope;
const check = (of: string | Buffer, on = day, known = keys) =>
  checkEnvelope(Buffer.from(of), statement, { keys: known, day: on });
const changed = (parts: object): string => JSON.stringify({ ...envelope, ...parts });

describe('the envelope of an audit', () => {
  it('signs the in-toto statement with its type and both lengths, as DSSE says', () => {
    const payload = Buffer.from(envelope.payload, 'base64');
    expect(JSON.parse(payload.toString())).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: statement.subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
      predicateType: 'urn:crossfoot:audit:v1',
      predicate: statement.predicate,
    });
    const signed = Buffer.from(
      `DSSEv1 28 application/vnd.in-toto+json ${payload.length} ${payload.toString()}`,
    );
    expect(envelope.signatures).toEqual([
      { keyid: KEY_ID, sig: sign(null, signed, signingKeyOf(SEED).key).toString('base64') },
    ]);
    expect(check(text)).toEqual({ outcome: 'valid', key_id: KEY_ID });
  });

  it.each([
    ['no JSON', 'no JSON'],
    ['null', 'null'],
    ['another type of payload', changed({ payloadType: 'text/plain' })],
    ['no signature', changed({ signatures: [] })],
    ['two signatures', changed({ signatures: [...envelope.signatures, ...envelope.signatures] })],
  ])('is not read from %s', (_, of) => {
    expect(check(of)).toEqual({ outcome: 'invalid', why: 'is no DSSE envelope with one signature' });
  });

  it.each([
    ['a blank behind it', `${text} `],
    ['a member more', changed({ note: 'added' })],
    ['other base64 of the same signature', text.replace('==","', '","').replace('=="', '"')],
  ])('is refused with %s', (_, of) => {
    expect(of).not.toBe(text);
    expect(check(of)).toMatchObject({ outcome: 'invalid' });
  });

  it('is refused for another statement: a table more, another digest, another audit', () => {
    const [first] = statement.subjects;
    const others = [
      { ...statement, subjects: first === undefined ? [] : [first] },
      { ...statement, subjects: statement.subjects.map((each) => ({ ...each, sha256: 'd'.repeat(64) })) },
      { ...statement, predicate: { ...statement.predicate, control_sha256: 'd'.repeat(64) } },
    ];
    for (const other of others) {
      expect(checkEnvelope(bytes, other, { keys, day })).toEqual({
        outcome: 'invalid',
        why: 'states other files or another audit than the manifest',
      });
    }
  });

  it('counts on the days of its key, the first and the last included', () => {
    const dated = readPublicKey(`${PUBLIC_KEY}@2026-03-01..2026-03-31`);
    const known = keysById(dated === null ? [] : [dated]);
    const on = (each: string) => check(text, each, known);
    expect(['2026-03-01', '2026-03-31'].map((each) => on(each).outcome)).toEqual(['valid', 'valid']);
    expect(['2026-02-28', '2026-04-01'].map((each) => on(each).outcome)).toEqual(['invalid', 'invalid']);
  });

  it('tells a key that is not known from a signature that does not match', () => {
    const { public_key } = signingKeyOf(OTHER_SEED);
    const others = auditEnvelope(statement, signingKeyOf(OTHER_SEED));
    expect(check(others)).toEqual({ outcome: 'unknown-key', key_id: public_key.key_id });
    const [{ sig } = { sig: '' }] = (JSON.parse(others.toString()) as Envelope).signatures;
    expect(check(changed({ signatures: [{ keyid: KEY_ID, sig }] }))).toEqual({
      outcome: 'invalid',
      why: `does not match its signature by the key ${KEY_ID}`,
    });
  });
});
