/** The floor: a client that reads a COPY and drops what it reads. */
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** Reads all that the select gives, in COPY's binary form, and gives the bytes that came. */
export async function drop(reader: Client, select: string): Promise<number> {
  let bytes = 0;
  for await (const chunk of reader.query(copyTo(`copy (${select}) to stdout (format binary)`))) {
    bytes += (chunk as Buffer).length;
  }
  // The connection is free for the next statement once the end of the COPY was read.
  await reader.query('select');
  return bytes;
}
