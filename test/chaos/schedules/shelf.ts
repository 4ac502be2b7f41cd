/** What the store of a schedule holds: every change in one step, and a listener that sees each before anybody else. */

interface Shelved {
  readonly bytes: Uint8Array;
  readonly created_at: number;
}

/** Sees every change right after it was made. */
export interface Witness {
  readonly onCreated: (key: string, bytes: Uint8Array) => void;
  readonly onDeleted: (key: string) => void;
}

export class Shelf {
  readonly objects = new Map<string, Shelved>();
  /** What is not there any more: a stale listing may show it. */
  readonly deleted = new Set<string>();
  readonly #witness: Witness;

  constructor(witness: Witness) {
    this.#witness = witness;
  }

  create(key: string, bytes: Uint8Array, now: number): 'created' | 'exists' {
    if (this.objects.has(key)) return 'exists';
    this.objects.set(key, { bytes, created_at: now });
    this.deleted.delete(key);
    this.#witness.onCreated(key, bytes);
    return 'created';
  }

  delete(key: string): void {
    if (!this.objects.delete(key)) return;
    this.deleted.add(key);
    this.#witness.onDeleted(key);
  }

  bytesAt(key: string): Uint8Array | null {
    return this.objects.get(key)?.bytes ?? null;
  }

  keysBelow(prefix: string): string[] {
    return [...this.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
  }
}
