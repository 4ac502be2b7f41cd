/** Zips made by hand, byte by byte, so that a test can make wrong ones too. */
import { crc32, deflateRawSync } from 'node:zlib';

interface Wrong {
  /** The size that the headers claim the content has. */
  readonly claimed?: number;
  readonly method?: number;
  readonly flags?: number;
}

const DEFLATED = 8;

/** A zip of these files, deflated. */
export function zipOf(files: Readonly<Record<string, Buffer>>, wrong: Wrong = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(wrong.flags ?? 0, 2);
    fields.writeUInt16LE(wrong.method ?? DEFLATED, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(wrong.claimed ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, place, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, entries, end]);
}
