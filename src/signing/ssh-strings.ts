/** The string of OpenSSH's formats: its length in four bytes, then its bytes (RFC 4251, section 5). */

const LENGTH_BYTES = 4;

/** The bytes with their length before them. */
export function sshString(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The string that begins at `start`, and the index after its end; null if the bytes end before the string does. */
export function takeSshString(
  from: Buffer,
  start: number,
): { readonly bytes: Buffer; readonly end: number } | null {
  if (start + LENGTH_BYTES > from.length) return null;
  const begin = start + LENGTH_BYTES;
  const end = begin + from.readUInt32BE(start);
  return end > from.length ? null : { bytes: from.subarray(begin, end), end };
}
