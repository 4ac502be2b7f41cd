import { describe, expect, it } from 'vitest';
import {
  allowedSigners,
  keysById,
  keysOnLines,
  readPublicKey,
  signingKeyOf,
} from '../../src/signing/keys.ts';
import { armor, checkSsh, signSsh, unarmor } from '../../src/signing/sshsig.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, SEED, signingWith } from '../support/signing.ts';

const key = signingKeyOf(SEED);
const { keys } = signingWith();
const message = Buffer.from('the manifest\n');
const signed = { namespace: 'crossfoot', message, day: '2026-03-01' } as const;

// Made by OpenSSH 9.2: `ssh-keygen -Y sign -f key -n crossfoot`, with the key of RFC 8032's first test vector.
const BY_SSH_KEYGEN = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg11qYAYKxCrfVS/7TyWQHOg7hcv
PapiMlrwIaaPcHURoAAAAJY3Jvc3Nmb290AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1l
ZDI1NTE5AAAAQI+lzo16kvaaycXtLB/Uxv00ivoxsTm+m5gsvJUuicVYA0xlw8OaNNROoj
SpwOpDVO+qBAYj/fN6a5SHmruBFAU=
-----END SSH SIGNATURE-----
`;

describe('a key', () => {
  it('has the public part and the fingerprint that OpenSSH gives it', () => {
    expect(key.public_key).toMatchObject({ key_id: KEY_ID, openssh: PUBLIC_KEY });
  });

  it.each([
    [PUBLIC_KEY, null, null],
    [`ssh-ed25519 ${PUBLIC_KEY}`, null, null],
    [`${PUBLIC_KEY}@2026-01-01..`, '2026-01-01', null],
    [` ${PUBLIC_KEY}@..2026-12-31 `, null, '2026-12-31'],
    [`${PUBLIC_KEY}@2026-01-01..2026-12-31`, '2026-01-01', '2026-12-31'],
  ])('is read from %s', (text, valid_from, valid_until) => {
    expect(readPublicKey(text)).toMatchObject({ key_id: KEY_ID, valid_from, valid_until });
  });

  it.each([
    '',
    PUBLIC_KEY.slice(1),
    // Three further bytes behind the key.
    `${PUBLIC_KEY}AAAA`,
    PUBLIC_KEY.replace('AAAAC3', 'AAAAB3'),
    PUBLIC_KEY.replace('zaC1l', 'zaC1m'),
    `ssh-rsa ${PUBLIC_KEY}`,
    `${PUBLIC_KEY}@2026-12-31..2026-01-01`,
    `${PUBLIC_KEY}@2026-12-31`,
    `${PUBLIC_KEY}@2026-02-29..`,
    `${PUBLIC_KEY}@..2026-99-99`,
  ])('is not read from %j', (text) => {
    expect(readPublicKey(text)).toBeNull();
  });

  it.each([
    ['', ''],
    ['@..2025-12-31', ' @..2025-12-31'],
    ['@2025-01-01..', ' @2025-01-01..'],
    [' @2025-01-01..2025-12-31', ' @2025-01-01..2025-12-31'],
  ])('is a line for ssh-keygen, with %j as a comment that reads back', (days, comment) => {
    const limited = readPublicKey(`${PUBLIC_KEY}${days}`);
    const lines = allowedSigners(keysById(limited === null ? [] : [limited]));
    expect(lines).toBe(
      `crossfoot namespaces="crossfoot,crossfoot-log,crossfoot-mark" ssh-ed25519 ${PUBLIC_KEY}${comment}\n`,
    );
    expect(keysOnLines(lines).map((text) => readPublicKey(text))).toMatchObject([
      { valid_from: limited?.valid_from, valid_until: limited?.valid_until },
    ]);
  });
});

it('a key that is listed twice counts on the days of its later entry alone', () => {
  const blob = signSsh(key, 'crossfoot', message); // made on 1 March
  const outcome = (...days: readonly string[]) => {
    const listed = days.flatMap((each) => readPublicKey(`${PUBLIC_KEY}${each}`) ?? []);
    return checkSsh(blob, signed, keysById(listed)).outcome;
  };
  expect([outcome('', '@..2026-02-28'), outcome('@..2026-02-28', '')]).toEqual(['invalid', 'valid']);
});

describe('an SSH signature', () => {
  it('is byte for byte the one of ssh-keygen', () => {
    expect(armor(signSsh(key, 'crossfoot', message))).toBe(BY_SSH_KEYGEN);
    expect(checkSsh(unarmor(BY_SSH_KEYGEN) ?? Buffer.alloc(0), signed, keys)).toEqual({
      outcome: 'valid',
      key_id: KEY_ID,
    });
  });

  it('holds for its message and its namespace alone', () => {
    const blob = signSsh(key, 'crossfoot', message);
    expect(checkSsh(blob, { ...signed, message: Buffer.from('the manifest') }, keys)).toEqual({
      outcome: 'invalid',
      why: `does not match its signature by the key ${KEY_ID}`,
    });
    expect(checkSsh(blob, { ...signed, namespace: 'crossfoot-log' }, keys)).toEqual({
      outcome: 'invalid',
      why: 'has a signature for "crossfoot"',
    });
  });

  it('is not valid with any byte changed', () => {
    const blob = signSsh(key, 'crossfoot', message);
    for (let at = 0; at < blob.length; at += 1) {
      const changed = Buffer.from(blob);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(checkSsh(changed, signed, keys).outcome, `byte ${at}`).not.toBe('valid');
    }
  });

  it.each(['', 'SSHSIG', Buffer.alloc(200)])('cannot be read in other bytes: %j', (bytes) => {
    expect(checkSsh(Buffer.from(bytes), signed, keys)).toEqual({
      outcome: 'invalid',
      why: 'has a signature that cannot be read',
    });
  });

  it('cannot be read with a further text behind it', () => {
    const further = Buffer.concat([signSsh(key, 'crossfoot', message), Buffer.from([0, 0, 0, 1, 120])]);
    expect(checkSsh(further, signed, keys)).toEqual({
      outcome: 'invalid',
      why: 'has a signature that cannot be read',
    });
  });

  it('cannot be read with a text in its reserved part', () => {
    const blob = signSsh(key, 'crossfoot', message);
    // The reserved text is the empty string after the namespace. Here it has one byte.
    const at = blob.indexOf('crossfoot') + 'crossfoot'.length;
    const reserved = Buffer.from([0, 0, 0, 1, 120]);
    const longer = Buffer.concat([blob.subarray(0, at), reserved, blob.subarray(at + 4)]);
    expect(checkSsh(longer, signed, keys)).toEqual({
      outcome: 'invalid',
      why: 'has a signature that cannot be read',
    });
  });

  it('by an unknown key is distinguished from a wrong signature', () => {
    const blob = signSsh(signingKeyOf(OTHER_SEED), 'crossfoot', message);
    const { key_id } = signingKeyOf(OTHER_SEED).public_key;
    expect(checkSsh(blob, signed, keys)).toEqual({ outcome: 'unknown-key', key_id });
  });

  it('counts on the days of its key, the first and the last included', () => {
    const dated = readPublicKey(`${PUBLIC_KEY}@2026-03-01..2026-03-31`);
    const known = keysById(dated === null ? [] : [dated]);
    const on = (day: string) => checkSsh(signSsh(key, 'crossfoot', message), { ...signed, day }, known);
    expect(['2026-03-01', '2026-03-31'].map((day) => on(day).outcome)).toEqual(['valid', 'valid']);
    const oneDay = readPublicKey(`${PUBLIC_KEY}@2026-03-01..2026-03-01`);
    const once = keysById(oneDay === null ? [] : [oneDay]);
    expect(checkSsh(signSsh(key, 'crossfoot', message), signed, once).outcome).toBe('valid');
    expect(['2026-02-28', '2026-04-01'].map((day) => on(day))).toEqual([
      { outcome: 'invalid', why: `is signed with the key ${KEY_ID}, which was not valid on 2026-02-28` },
      { outcome: 'invalid', why: `is signed with the key ${KEY_ID}, which was not valid on 2026-04-01` },
    ]);
  });

  it('is read from its own text alone', () => {
    expect(unarmor(BY_SSH_KEYGEN)?.length).toBe(Buffer.from(signSsh(key, 'crossfoot', message)).length);
    for (const text of [
      '',
      BY_SSH_KEYGEN.trim(),
      ` ${BY_SSH_KEYGEN}`,
      BY_SSH_KEYGEN.replace('U1NI', 'U1N!'),
    ]) {
      expect(unarmor(text)).toBeNull();
    }
  });
});
