/** Keys for tests. The first is the key of RFC 8032's first test vector. */
import { keysById, type Signing, signingKeyOf } from '../../src/signing/keys.ts';

export const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60';
export const OTHER_SEED = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb';
/** As `ssh-keygen -l` prints it. */
export const KEY_ID = 'SHA256:bbXpuKG6zhzdmnxq256TlqzFBzRl2f6OOg722cYNbU8';
/** As `ssh-keygen -y` prints it, without the algorithm. */
export const PUBLIC_KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea';

/** Signs with the key of a seed, and knows that key alone. */
export function signingWith(seed = SEED): Signing {
  const signer = signingKeyOf(seed);
  return { signer, keys: keysById([signer.public_key]) };
}
