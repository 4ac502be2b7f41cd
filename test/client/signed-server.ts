/** The scripted server, with a publish log whose entries and manifests are signed. */
import { keysById, type Signing, signingKeyOf } from '../../src/signing/keys.ts';
import { armor, signSsh } from '../../src/signing/sshsig.ts';
import { sha256Hex } from '../../src/snapshot/format/digest.ts';
import { emptyLog, encodeNextEntry, follow, type PublishLog } from '../../src/snapshot/format/publish-log.ts';
import { SEED } from '../support/signing.ts';
import { manifestOf, type ScriptedServer, startScripted, TABLES } from './scripted-server.ts';

const DAY = 86_400_000_000n;
/** 2026-07-15T02:00:00Z, in microseconds: day 56 × 365 + 14 leap days + 195 = 20,649 since 1970. */
const FIRST = 20_649n * DAY + 7_200_000_000n;

const AUDIT_FILES = ['audit.json', 'control.json'].map((name) => ({
  name,
  size_bytes: 9,
  sha256: sha256Hex(Buffer.from(name)),
}));

export const nightId = (night: number): string => `202607${15 + night}T020000Z`;

export interface SignedServer extends ScriptedServer {
  /** Publishes the next night, signed with the key of that seed; null: not signed. */
  publish(seed?: string | null): void;
  /** What it answers by path; a test changes it. */
  readonly files: Map<string, string>;
}

/** Starts it with one night published. */
export async function startSigned(seed: string | null = SEED): Promise<SignedServer> {
  const files = new Map<string, string>();
  let log: PublishLog = emptyLog(7n);

  function publish(by: string | null = SEED): void {
    const night = log.entries.length;
    const snapshot_id = nightId(night);
    const sent = manifestOf({ snapshot_id, files: AUDIT_FILES, versions: { writer: 'crossfoot 1' } });
    const stored = JSON.stringify({ ...sent, nonce: 'stored only' });
    const signing: Signing | null = by === null ? null : { signer: signingKeyOf(by), keys: keysById([]) };
    const bytes = encodeNextEntry(
      { ...log, signing, signed: false },
      {
        snapshot_id,
        manifest_sha256: sha256Hex(Buffer.from(stored)),
        nonce: String(night).padStart(32, '0'),
        night: `2026-07-${15 + night}`,
        published_at: FIRST + BigInt(night) * DAY,
        builder: 'test',
      },
    );
    log = { ...follow({ ...log, signing: null, signed: false }, [bytes]) };
    const at = `/v1/reporting/snapshots/${snapshot_id}`;
    const entry = Buffer.from(bytes).toString();
    files.set('/v1/reporting/latest', JSON.stringify(sent));
    files.set(at, JSON.stringify(sent));
    files.set(`${at}/files/manifest.json`, stored);
    files.set(`${at}/files/log-entry.json`, entry);
    files.set(`/v1/reporting/log/${night + 1}`, entry);
    if (by !== null) {
      const signature = armor(signSsh(signingKeyOf(by), 'crossfoot', Buffer.from(stored)));
      files.set(`${at}/files/manifest.json.sig`, signature);
    }
  }

  publish(seed);
  const server = await startScripted((request, response) => {
    const text = files.get(request.url ?? '');
    if (text === undefined) return false;
    response.end(text);
    return true;
  });
  return Object.assign(server, { publish, files });
}

export const FILES = [...Object.keys(TABLES).map((name) => `${name}.parquet`), 'manifest.json'];
