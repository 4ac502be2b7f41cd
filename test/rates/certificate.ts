/** A certificate for 127.0.0.1, made and signed here: nothing that a test trusts outlives its run. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certified {
  readonly key: string;
  /** To be served, and to be trusted. */
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02);
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13);
const SUBJECT_ALTERNATIVE_NAME = oid(0x55, 0x1d, 0x11);

/** A key and its own certificate, for the years in which tests are run. */
export function certifyLoopback(): Certified {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(ECDSA_WITH_SHA256);
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('loopback')))));
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, der(0x04, sequence(der(0x01, Buffer.of(0xff))))),
    sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, sequence(der(0x87, Buffer.of(127, 0, 0, 1))))),
  );
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', signed, privateKey);
  const certificate = sequence(signed, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
