/** The snapshot that a command marks: by its id, by a pin, or `latest`, the newest entry of the publish log. */
import { CrossfootError } from '../../errors.ts';
import { shownAge } from '../../format.ts';
import { readLog } from '../../snapshot/read/read-log.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { Marking } from './marking.ts';
import { isSnapshotId, LATEST } from '../../snapshot/format/snapshot-id.ts';
import type { Marks } from '../../snapshot/format/marks.ts';
import { pinnedAs } from '../../snapshot/keep/pins.ts';
import { readMarks } from '../../snapshot/read/read-marks.ts';
import { HOUR, type Instant } from '../../instant.ts';

/**
 * The id of the snapshot. `latest` is refused while the newest snapshot is less than an hour old and an older one is there: the
 * person may have the older one in mind. The error has the command with the id; `options` are its other options.
 */
export async function markedSnapshot(
  named: string,
  account_id: bigint,
  verb: 'pin' | 'unpin' | 'retract',
  { tools, now }: Marking,
  options = '…',
): Promise<string> {
  if (isSnapshotId(named)) return named;
  if (named !== LATEST) {
    const marks = await untilAnswered(tools.clock, () => readMarks(tools.store, account_id));
    if (marks.fault !== null) throw marks.fault;
    return requirePin(marks, named, now);
  }
  const { entries, fault } = await untilAnswered(tools.clock, () => readLog(tools.store, account_id));
  if (fault !== null) throw fault;
  const [newest, before] = entries.toReversed();
  if (newest === undefined) {
    throw new CrossfootError('not_found', `Account ${account_id} has published no snapshot.`, {
      hint: `npx --no crossfoot build --account ${account_id} publishes one.`,
    });
  }
  const { published_at } = newest;
  if (before !== undefined && published_at + HOUR > now) {
    throw new CrossfootError(
      'usage_invalid',
      `latest is ${newest.snapshot_id}, published ${shownAge(published_at, now, 'long')} ago; before it came ${before.snapshot_id}. Nothing was changed.`,
      {
        hint: `Type the id of the one you mean: npx --no crossfoot ${verb} ${newest.snapshot_id} --account ${account_id} ${options}`,
      },
    );
  }
  return newest.snapshot_id;
}

/** The snapshot that the pin means; throws if no snapshot has such a pin now. */
function requirePin(marks: Marks, name: string, now: Instant): string {
  const [id] = pinnedAs(marks, name, now);
  if (id !== undefined) return id;
  const { account_id } = marks;
  throw new CrossfootError('not_found', `Account ${account_id} has no pin ${name}.`, {
    hint: `npx --no crossfoot snapshots --account ${account_id} shows its snapshots and their pins.`,
  });
}
