/** Spans of versions in which something holds: from its first snapshot to the first in which it no longer does. */

export interface Span<Value> {
  readonly begin: number;
  /** Null while it still holds. */
  readonly end: number | null;
  readonly value: Value;
}

/** Joins neighbours with equal values. The spans are in order, and a value consists of JSON's own types. */
function joined<Value>(spans: readonly Span<Value>[]): readonly Span<Value>[] {
  const result: Span<Value>[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && last.end === span.begin && same(last.value, span.value)) {
      result[result.length - 1] = { ...last, end: span.end };
    } else {
      result.push(span);
    }
  }
  return result;
}

/** The spans of a part of each value; none where the value lacks the part. */
export function partsOf<Value, Part>(
  spans: readonly Span<Value>[],
  partOf: (value: Value) => Part | undefined,
): readonly Span<Part>[] {
  return spans.flatMap(({ begin, end, value: from }) => {
    const value = partOf(from);
    return value === undefined ? [] : [{ begin, end, value }];
  });
}

/** The same, with neighbours joined whose parts are equal. */
export function spansOf<Value, Part>(
  spans: readonly Span<Value>[],
  partOf: (value: Value) => Part | undefined,
): readonly Span<Part>[] {
  return joined(partsOf(spans, partOf));
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
