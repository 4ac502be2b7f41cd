import { describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../src/errors.ts';
import type { Row } from '../../src/parquet/row-fields.ts';
import { writeCopy, writeRows } from '../../src/parquet/write.ts';
import { copyBinary, inPieces, type CopyField } from '../support/copy-binary.ts';
import { copyRows, everyKind, valueRows } from './every-kind.ts';

const constants = { snapshot_id: '20260131T235959Z' };
const job = { table: everyKind, constants, metadata: {}, sink: async (): Promise<void> => undefined };
const stream = copyBinary(copyRows);
const [firstRow = []] = copyRows;
const [valueRow = {}] = valueRows;

const copy = async (source: AsyncIterable<Buffer>, rowsSent = 2): Promise<unknown> =>
  writeCopy({ ...job, source, rowsSent: () => rowsSent });

describe('a stream', () => {
  it('is refused when it holds another number of rows than PostgreSQL sent', async () => {
    await expect(copy(inPieces(stream), 3)).rejects.toMatchObject({
      code: 'rows_disagree',
      message: 'every_kind: decoded 2 rows, PostgreSQL sent 3; nothing was kept.',
    });
  });

  it('is refused when it is cut, and names the table', async () => {
    await expect(copy(inPieces(stream.subarray(0, -2)))).rejects.toMatchObject({
      code: 'copy_cut_short',
      data: { table: 'every_kind', rows: 2 },
    });
  });

  it('passes its own error on', async () => {
    const lost = new Error('connection lost');
    async function* source(): AsyncGenerator<Buffer> {
      yield stream.subarray(0, 100);
      throw lost;
    }
    await expect(copy(source())).rejects.toBe(lost);
  });

  it('is cancelled when a row is refused', async () => {
    let told = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        yield copyBinary([firstRow.with(0, null)]);
        yield stream;
      } finally {
        told = true;
      }
    }
    await expect(copy(source())).rejects.toMatchObject({ code: 'value_missing' });
    expect(told).toBe(true);
  });

  it('with text that is no UTF-8 is refused by the encoder', async () => {
    const invalid: CopyField = Buffer.from([0xc3, 0x28]);
    await expect(copy(inPieces(copyBinary([firstRow.with(1, invalid)])), 1)).rejects.toMatchObject({
      code: 'parquet_failed',
      message: 'every_kind: the Parquet encoder failed.',
    });
  });
});

/** The code and message with which the second of two rows is refused. */
async function codeOf(second: Record<string, unknown>): Promise<string> {
  try {
    await writeRows({ ...job, rows: [valueRow, second as Row] }); // what the compiler would refuse, too
  } catch (error) {
    if (isCrossfootError(error)) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'taken';
}

describe('a computed row', () => {
  it.each([
    ['an_id', 1],
    ['an_id', 2n ** 63n],
    ['an_id', -(2n ** 63n) - 1n],
    ['an_id', undefined],
    ['some_cents', 1.5],
    ['a_string', 7],
    ['a_string', '\ud800'],
    ['an_integer', 2_147_483_648],
    ['an_integer', 0.5],
    ['an_integer', 1n],
    ['a_number', '1'],
    ['a_boolean', 1],
    ['a_date', '2026-02-29'],
    ['a_date', new Date(0)],
    ['a_timestamp', '2026-01-01'],
    ['maybe_id', undefined],
  ])('is refused with %s = %s', async (name, value) => {
    expect(await codeOf({ ...valueRow, [name]: value })).toMatch(
      new RegExp(`^value_not_of_kind every_kind\\.${name}, row 2: `),
    );
  });

  it('is refused with a NaN or infinite number', async () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) {
      expect(await codeOf({ ...valueRow, maybe_number: value })).toMatch(
        /^value_not_finite every_kind\.maybe_number, row 2/,
      );
    }
  });

  it('is refused without a value that it must have', async () => {
    expect(await codeOf({ ...valueRow, a_text: null })).toMatch(/^value_missing every_kind\.a_text, row 2: /);
  });
});

describe('a constant', () => {
  it('is refused in a column that is not text', async () => {
    const wrong = { ...job, constants: { an_id: '1' }, rows: [] };
    await expect(writeRows(wrong)).rejects.toMatchObject({
      code: 'value_not_of_kind',
      data: { column: 'an_id' },
    });
  });
});

describe('an end from outside', () => {
  const never = new Promise<never>(() => undefined);
  async function* hanging(): AsyncGenerator<Buffer> {
    yield stream.subarray(0, 100);
    await never;
  }

  it('is the reason given when the signal is aborted before it begins', async () => {
    const reason = new Error('stop');
    const stopped = writeRows({ ...job, rows: valueRows, signal: AbortSignal.abort(reason) });
    await expect(stopped).rejects.toBe(reason);
  });

  it('ends a write whose source hangs', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const stopped = writeCopy({ ...job, source: hanging(), rowsSent: () => 2, signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(stopped).rejects.toBe(reason);
  });

  it('ends a write whose sink hangs', async () => {
    const controller = new AbortController();
    const stopped = writeRows({
      ...job,
      rows: valueRows,
      signal: controller.signal,
      sink: async () => {
        controller.abort(new Error('stop'));
        await never;
      },
    });
    await expect(stopped).rejects.toThrow('stop');
  });

  it('is the error of a sink, thrown or rejected', async () => {
    const full = new Error('no space left');
    const rejects = async (): Promise<void> => {
      throw full;
    };
    const throws = (): Promise<void> => {
      throw full;
    };
    for (const sink of [rejects, throws]) {
      await expect(writeRows({ ...job, rows: valueRows, sink })).rejects.toBe(full);
    }
  });

  it('leaves a signal without listeners when the file is done', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counting = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') listeners += 1;
        if (name === 'removeEventListener') listeners -= 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await writeRows({ ...job, rows: valueRows, signal: counting });
    expect(listeners).toBe(0);
  });
});
