/** The ways in which a stored file is not what was audited any more. */
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import type { Chance } from '../chance.ts';

/** A way, and the first place at which the bytes differ from before; null for the bytes: the object is gone. */
export interface Spoiled {
  readonly how: 'flipped' | 'cut' | 'zeroed' | 'longer' | 'missing' | 'swapped';
  readonly bytes: Uint8Array | null;
  readonly at: number;
}

/** Spoils it in one way; half of the time a single bit, at the borders of blocks and of the file as often as inside. */
export function spoilFile(sound: Uint8Array, other: Uint8Array, chance: Chance): Spoiled {
  const at = placeIn(sound.length, chance);
  const bytes = Buffer.from(sound);
  switch (chance.below(10)) {
    case 0:
      return { how: 'cut', bytes: bytes.subarray(0, at), at };
    case 1: {
      bytes.fill(0, at, Math.min(bytes.length, at + 1 + chance.below(5_000)));
      // Zeros that were zeros before spoil nothing.
      if (bytes.equals(sound)) bytes[at] = 1;
      return { how: 'zeroed', bytes, at: firstDifference(sound, bytes) };
    }
    case 2:
      return {
        how: 'longer',
        bytes: Buffer.concat([sound, Buffer.alloc(1 + chance.below(100), 'x')]),
        at: sound.length,
      };
    case 3:
      return { how: 'missing', bytes: null, at: 0 };
    case 4:
      return { how: 'swapped', bytes: other, at: firstDifference(sound, other) };
    default:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
      return { how: 'flipped', bytes, at };
  }
}

function placeIn(length: number, chance: Chance): number {
  const borders = [0, 4, length - 9, length - 4, length - 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1];
  const at = chance.happens(0.4) ? chance.oneOf(borders) : chance.below(length);
  return at >= 0 && at < length ? at : chance.below(length);
}

function firstDifference(one: Uint8Array, other: Uint8Array): number {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at === -1 ? one.length : at;
}
