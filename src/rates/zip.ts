/**
 * Reads the only file in a zip: finds it by the directory at the end, inflates it up to a limit, and checks its checksum.
 * Without the check, a digit that changed on a disk would become a wrong rate.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import { CrossfootError } from '../errors.ts';

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_OF_DIRECTORY = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;

interface Entry {
  readonly name: string;
  readonly encrypted: boolean;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

/** True for bytes that begin as a zip does. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length >= END_BYTES && bytes.readUInt32LE(0) === LOCAL_HEADER;
}

/** The content of the only file in a zip. Throws `rates_rejected` for a damaged zip, and above `most` bytes. */
export function unzipOnlyFile(zip: Buffer, most: number): Buffer {
  try {
    const files = entries(zip).filter(({ name }) => !name.endsWith('/'));
    const [file] = files;
    if (file === undefined || files.length > 1) throw refused(`it holds ${files.length} files, expected one`);
    const content = inflate(file, packed(zip, file), most);
    if (crc32(content) !== file.crc) throw refused(`${file.name} is not what its checksum says`);
    return content;
  } catch (error) {
    // Offsets come from the file: an offset outside the file is a fault of the file.
    if (error instanceof RangeError) throw refused('it is cut short or damaged', error);
    throw error;
  }
}

function entries(zip: Buffer): readonly Entry[] {
  const end = zip.lastIndexOf(END_OF_DIRECTORY);
  // The end record has the length of the comment after it; if they match, the file is complete.
  if (end < 0 || end + END_BYTES + zip.readUInt16LE(end + 20) !== zip.length) {
    throw refused('it has no end; the download may have been cut short');
  }
  const found: Entry[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw refused('its directory is damaged');
    const nameBytes = zip.readUInt16LE(at + 28);
    found.push({
      name: zip.toString('utf8', at + 46, at + 46 + nameBytes),
      encrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      headerAt: zip.readUInt32LE(at + 42),
    });
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return found;
}

function packed(zip: Buffer, { headerAt, packedBytes }: Entry): Buffer {
  if (zip.readUInt32LE(headerAt) !== LOCAL_HEADER) throw refused('its directory is damaged');
  const from = headerAt + 30 + zip.readUInt16LE(headerAt + 26) + zip.readUInt16LE(headerAt + 28);
  if (from + packedBytes > zip.length) throw refused('it is cut short');
  return zip.subarray(from, from + packedBytes);
}

function inflate({ name, method, encrypted }: Entry, bytes: Buffer, most: number): Buffer {
  if (encrypted || (method !== STORED && method !== DEFLATED)) {
    throw refused(`${name} is packed in a way that is not read here`);
  }
  if (method === STORED) {
    if (bytes.length > most) throw refused(`${name} is larger than ${most} bytes`);
    return bytes;
  }
  try {
    return inflateRawSync(bytes, { maxOutputLength: most });
  } catch (cause) {
    const tooLarge = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
    throw refused(tooLarge ? `${name} inflates to more than ${most} bytes` : `${name} is damaged`, cause);
  }
}

function refused(why: string, cause?: unknown): CrossfootError {
  return new CrossfootError('rates_rejected', `The zip of rates is refused: ${why}; nothing was imported.`, {
    hint: 'Download it again.',
    cause,
  });
}
