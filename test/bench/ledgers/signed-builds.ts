/** What signing adds to a build: the same account with a key and without, in turns, in one process. */
import { join } from 'node:path';
import { signingWith } from '../../support/signing.ts';
import { type Benchmark, type BenchRequest, type Figure, figure } from '../benchmark.ts';
import { inRounds, median, wallRatio } from '../rounds.ts';
import { openSteppedBuilder } from './stepped-builds.ts';
import { sizeOf } from './generated-ledger.ts';

const ROWS = 10_000;
const ROUNDS = 9;

export const signedBuilds: Benchmark = {
  name: 'signed-builds',
  title: 'builds of one account, signed and not, in turns',
  run: async ({ ledger, rows, folder }: BenchRequest): Promise<readonly Figure[]> => {
    const generated = await ledger();
    const account = await generated.accountOf(sizeOf(rows ?? ROWS));
    const { databases } = generated;
    await using signed = await openSteppedBuilder(databases, join(folder, 'signed'), {
      signing: signingWith(),
    });
    await using unsigned = await openSteppedBuilder(databases, join(folder, 'unsigned'));
    const runs = await inRounds(
      { signed: () => signed.build(account), unsigned: () => unsigned.build(account) },
      ROUNDS,
    );
    const wall = (name: keyof typeof runs): number => median(runs[name].map(({ wall_s }) => wall_s));
    return [
      figure('signed builds: wall', wall('signed'), 's', { runs: ROUNDS }),
      figure('signed builds: wall without signing', wall('unsigned'), 's', { runs: ROUNDS }),
      figure(
        'signed builds: wall against builds without signing',
        wallRatio(runs.signed, runs.unsigned),
        'times',
        {
          against: 'the same account without a key, in the same run',
          runs: ROUNDS,
          target: { at_most: 1.1 },
        },
      ),
    ];
  },
};
