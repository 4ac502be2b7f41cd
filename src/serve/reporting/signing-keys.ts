/** The keys that sign snapshots, public and without a token; and the entries of the publish log, which are signed. */
import { z } from '@hono/zod-openapi';
import { CrossfootError } from '../../errors.ts';
import { allowedSigners, type PublicKey } from '../../signing/keys.ts';
import { defineRoute } from '../contract/define-route.ts';
import { notFound } from '../contract/refusals.ts';
import { answerJson } from '../http/json-answer.ts';
import { CACHE_PUBLIC, sendStatic, staticResponse } from '../http/static-response.ts';
import { text } from '../contract/shapes.ts';
import { accountOf } from './chosen-snapshot.ts';
import type { FileParts } from './snapshot-file.ts';
import { cachePinned } from './table-file.ts';

const day = z.iso.date().nullable();

const key = z
  .object({
    key_id: text("OpenSSH's fingerprint of the key."),
    algorithm: z.literal('ed25519').meta({ description: 'The algorithm of the key.' }),
    openssh: text("The key in OpenSSH's form, as in `authorized_keys`."),
    pem: text('The key in PEM, for `openssl`.'),
    valid_from: day.meta({ description: 'The first day on which it signs; null: since ever.' }),
    valid_until: day.meta({ description: 'The last day on which it signs; null: no end is known.' }),
  })
  .meta({ id: 'SigningKey', description: 'A public key whose signatures count.' });

const keys = z
  .object({ keys: z.array(key).meta({ description: 'Those in use and those retired.' }) })
  .meta({ id: 'SigningKeys', description: 'Every such key.' });

/** The public keys, with their days. */
export const signingKeys = defineRoute(
  {
    path: '/reporting/keys',
    operationId: 'get_signing_keys',
    summary: 'The public keys that sign snapshots; needs no token.',
    tags: ['Reporting'],
    security: [],
    responses: {
      200: {
        description: 'All keys, in use and retired. A compromised key is taken out.',
        content: { 'application/json': { schema: keys } },
      },
    },
  },
  ({ signatures }: FileParts) =>
    (c) =>
      answerJson(c, { keys: [...signatures.keys().values()].map(shown) }, CACHE_PUBLIC),
);

/** The same keys for `ssh-keygen -Y verify`. */
export const allowedSignersFile = defineRoute(
  {
    path: '/reporting/keys/allowed_signers',
    operationId: 'get_allowed_signers',
    summary: 'The same keys as a file for `ssh-keygen -Y verify -f`; needs no token.',
    tags: ['Reporting'],
    security: [],
    responses: {
      200: {
        description: 'One line a key, without its days: `ssh-keygen` compares them with today.',
        content: { 'text/plain': { schema: z.string() } },
      },
    },
  },
  ({ signatures }: FileParts) =>
    (c) => {
      const file = staticResponse(allowedSigners(signatures.keys()), 'text/plain; charset=utf-8');
      return sendStatic(c, file, CACHE_PUBLIC);
    },
);

const SEQ = /^[1-9]\d{0,9}$/;
const seq = text('The number of the entry, from 1.').openapi({
  pattern: SEQ.source,
  param: { example: '1' },
});

/** An entry of the publish log. */
export const logEntry = defineRoute(
  {
    path: '/reporting/log/{seq}',
    operationId: 'get_log_entry',
    summary: 'An entry of the publish log, byte for byte; it names the digest of the entry before it.',
    tags: ['Reporting'],
    request: { params: z.object({ seq }) },
    responses: {
      200: {
        description: 'The entry. It stays when its snapshot expires.',
        content: { 'application/json': { schema: z.looseObject({}) } },
      },
      404: notFound('The log has no such entry.', 'The publish log has 3 entries.'),
    },
  },
  ({ signatures }: FileParts) =>
    async (c) => {
      // An address without an entry is not found, also where `seq` is no number.
      const number = c.req.valid('param').seq;
      if (!SEQ.test(number)) {
        throw new CrossfootError('not_found', 'Entries of the publish log have whole numbers from 1.');
      }
      const bytes = await signatures.entry(accountOf(c), Number(number));
      const file = staticResponse(Buffer.from(bytes), 'application/json');
      return sendStatic(c, file, { 'cache-control': cachePinned({ retraction: null }) });
    },
);

function shown({ key_id, key: publicKey, openssh, valid_from, valid_until }: PublicKey) {
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  return {
    key_id,
    algorithm: 'ed25519' as const,
    openssh: `ssh-ed25519 ${openssh}`,
    pem,
    valid_from,
    valid_until,
  };
}
