/** The notice of what is in no total, on the page of a snapshot and on that of the night. */
import { describe, expect, it } from 'vitest';
import type { ReadableSnapshot } from '../../../src/snapshot/format/served-manifest.ts';
import { CrossfootError } from '../../../src/errors.ts';
import type { OwnNight } from '../../../src/serve/pages/own-nights.ts';
import { fakeApp, FakeSnapshots, LATEST, TOKENS } from '../fake-parts.ts';
import { openBrowser } from './browser.ts';

type LeftOut = ReadableSnapshot['left_out'];

/** Snapshots that leave this out. */
class Leaving extends FakeSnapshots {
  readonly left_out: LeftOut;
  constructor(left_out: LeftOut) {
    super();
    this.left_out = left_out;
  }
  override async pinned(account_id: bigint, snapshot_id: string): Promise<ReadableSnapshot | null> {
    const snapshot = await super.pinned(account_id, snapshot_id);
    return snapshot === null ? null : { ...snapshot, left_out: this.left_out };
  }
  override async latest(account_id: bigint): Promise<ReadableSnapshot | null> {
    const snapshot = await super.latest(account_id);
    return snapshot === null ? null : { ...snapshot, left_out: this.left_out };
  }
}

/** Snapshots of which the newest cannot be read. */
class Broken extends FakeSnapshots {
  override async latest(): Promise<ReadableSnapshot | null> {
    throw new CrossfootError('manifest_invalid', 'manifest: refused, because it is missing.');
  }
}

const PUBLISHED: OwnNight = { night: '2026-11-17', state: 'published', tries: 1, trouble: null };

async function pageOf(
  path: string,
  snapshots: FakeSnapshots = new Leaving(EUROS),
  nights: readonly OwnNight[] = [],
): Promise<string> {
  const browser = openBrowser(fakeApp({ ownNights: async () => nights, snapshots }).app);
  await browser.signIn(TOKENS.personal);
  return (await browser.page(path)).replaceAll(/\s+/g, ' ');
}

const EUROS = { cost: [{ currency: 'EUR', amount_cents: 60_000, entries: 1 }], value: [] };
const SENTENCE = '1 cost in EUR (EUR 600.00) has no dollar figure and is in no total.';
const COMMANDS =
  /<textarea[^>]*readonly[^>]*> ?npx --no crossfoot rates import https:[^ ]+ npx --no crossfoot rates convert</;
const NONE = { cost: [], value: [] };
/** A charge in euros: no rate brings it into AI spend. */
const CHARGE = {
  ...NONE,
  bills: [{ table: 'card_charges' as const, currency: 'EUR', amount_cents: 3_000, entries: 1 }],
  reasons: [],
};
const CHARGE_SENTENCE =
  '1 card charge in EUR (EUR 30.00) is not in dollars and in no dollar total of AI spend.';

describe('the page of a snapshot', () => {
  it('says above the totals what they leave out, and the commands that mend it', async () => {
    const page = await pageOf(`/snapshots/${LATEST}`);
    const [before = '', totals = ''] = page.split('<h2 id="totals">');
    expect(before).not.toContain(SENTENCE);
    // The fake's audit lists no window: that sentence stands where the table of totals would.
    const [notice = ''] = totals.split('The report of this audit lists no window.');
    expect(notice).toContain(`<div class="note"> <p><strong>Left out:</strong> ${SENTENCE}</p>`);
    expect(notice).toMatch(COMMANDS);
    expect(notice).toContain('href="../docs/dollar-conversion"');
  });

  it('names bills that alone are left out, and no command where no rate helps', async () => {
    const page = await pageOf(`/snapshots/${LATEST}`, new Leaving(CHARGE));
    expect(page).toContain(`<strong>Left out:</strong> ${CHARGE_SENTENCE}`);
    expect(page).not.toContain('have a dollar figure');
    expect(page).not.toContain('rates convert');
  });

  it('says that all amounts have dollars, and of an older snapshot that this is not known', async () => {
    const complete = await pageOf(`/snapshots/${LATEST}`, new Leaving(NONE));
    expect(complete).toContain('Every cost and all approved value have a dollar figure.');
    expect(complete).not.toContain('role="alert"');
    const older = await pageOf(`/snapshots/${LATEST}`, new Leaving(null));
    expect(older).toContain('This snapshot does not record which amounts its totals leave out.');
    expect(older).not.toContain('have a dollar figure');
  });
});

describe("the page of tonight's run", () => {
  it('says what the newest snapshot leaves out', async () => {
    const page = await pageOf('/night');
    expect(page).toContain(`<strong>Left out:</strong> ${SENTENCE}`);
    expect(page).toMatch(COMMANDS);
    expect(page).toContain('href="docs/dollar-conversion"');
  });

  it('names bills that alone are left out, without a task where no rate helps', async () => {
    const page = await pageOf('/night', new Leaving(CHARGE), [PUBLISHED]);
    expect(page).toContain(`<strong>Left out:</strong> ${CHARGE_SENTENCE}`);
    expect(page).toContain('Nothing is left to do.');
    expect(await pageOf('/night', new Leaving(EUROS), [PUBLISHED])).toContain(
      'Left to do: <a href="#left-out">',
    );
    expect(page).not.toContain('rates convert');
  });

  it.each([
    ['leaves nothing out', new Leaving(NONE)],
    ['does not record it', new Leaving(null)],
    ['cannot be read', new Broken()],
  ])('says nothing of a newest snapshot that %s', async (_, snapshots) => {
    const page = await pageOf('/night', snapshots);
    expect(page).toContain("<h1>Tonight's run</h1>");
    expect(page).not.toContain('Left out');
  });
});
