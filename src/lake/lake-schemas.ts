/** The schemas of a catalogue: `main` with every version, and one for each name of a pin. */
import { MAIN_SCHEMA, REPORTING_SCHEMA, schemaOfPin } from '../snapshot/format/pin-schema.ts';
import { idOf } from './lake-ids.ts';
import type { Lake, LakeVersion } from './lake.ts';
import type { Span } from './spans.ts';

export interface LakeSchema {
  readonly name: string;
  readonly id: bigint;
  /** Which snapshot it shows. */
  readonly spans: readonly Span<LakeVersion>[];
}

/** `main` first, then the schemas of the pins by name. */
export function schemasOf({ account_id, versions }: Lake): readonly LakeSchema[] {
  const names = new Set(versions.flatMap(({ pins }) => pins.map(schemaOfPin)));
  names.delete(MAIN_SCHEMA); // such a pin is older than the rule that refuses this name
  names.delete(REPORTING_SCHEMA);
  return [
    // A version is not shown beyond its own number: the next entry shows another snapshot, or has expired.
    {
      name: MAIN_SCHEMA,
      id: 0n,
      spans: spansTo(versions, ({ seq }) => seq + 1),
    },
    ...[...names].toSorted().map((name) => {
      const pinned = versions.filter(({ pins }) => pins.some((pin) => schemaOfPin(pin) === name));
      return {
        name,
        id: idOf(account_id, 'schema', name),
        spans: spansTo(pinned, (_, next) => next.seq),
      };
    }),
  ];
}

function spansTo(
  versions: readonly LakeVersion[],
  endOf: (version: LakeVersion, next: LakeVersion) => number,
): readonly Span<LakeVersion>[] {
  return versions.map((value, index) => {
    const next = versions[index + 1];
    return { begin: value.seq, end: next === undefined ? null : endOf(value, next), value };
  });
}
