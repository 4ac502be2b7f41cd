/**
 * Frees the memory of bytes that nobody reads any more, also that of other views of their buffer. The garbage collector would
 * let buffers of many megabytes lie until it runs.
 */
export function freeBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
