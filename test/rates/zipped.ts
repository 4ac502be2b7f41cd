/** Zips made by hand, byte by byte, so that a test can make wrong ones too. */
import { crc32, deflateRawSync } from 'node:zlib';

interface Kind {
  /** The size that the headers claim the content has. */
  readonly claimed?: number;
  readonly method?: number;
  readonly flags?: number;
  /** So many bytes more in each local header, as writers put times there. */
  readonly extra?: number;
  /** A comment on each file, in the directory. */
  readonly comment?: string;
}

const STORED = 0;
const DEFLATED = 8;

/** A zip of these files; deflated unless the method says otherwise. */
export function zipOf(files: Readonly<Record<string, Buffer>>, kind: Kind = {}): Buffer {
  const { method = DEFLATED, flags = 0, claimed, extra = 0, comment = '' } = kind;
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = method === STORED ? content : deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(method, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimed ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const head = Buffer.from(fields);
    head.writeUInt16LE(extra, 24);
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04'),
      head,
      Buffer.from(name),
      Buffer.alloc(extra, 'x'),
      packed,
    ]);
    const place = Buffer.alloc(14);
    place.writeUInt16LE(comment.length, 0);
    place.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, place, Buffer.from(name + comment)]),
    );
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
