/**
 * Frees the whole buffer of these bytes; the caller must not read it again. The garbage collector would keep many megabytes
 * until it runs.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
