/** One engine for the audits of a build: opening an engine, and reading the files again, costs more than most checks. */
import { type AuditEngine, type EngineOptions, openEngine } from './engine.ts';

/** Opens an engine for one audit, whose disposal gives it back. */
export interface EngineSource {
  readonly open: (options: EngineOptions) => Promise<AuditEngine>;
}

/** Each audit has an engine of its own. */
export const OWN_ENGINES: EngineSource = { open: openEngine };

/**
 * Lends the same engine to one audit after the other, if they ask for an equal one. What an audit made is dropped after it; only
 * the files that were read stay. An engine for large files is not kept, because its memory would add up.
 */
export function shareEngine(): EngineSource & AsyncDisposable {
  let kept: { readonly engine: AuditEngine; readonly asked: string } | undefined;
  async function close(): Promise<void> {
    const engine = kept?.engine;
    kept = undefined;
    await engine?.[Symbol.asyncDispose]();
  }
  return {
    async open(options) {
      const { directory, tempDirectory, memoryLimit, threads = 1 } = options;
      const asked = JSON.stringify([directory, tempDirectory, memoryLimit, threads]);
      if (kept?.asked !== asked) {
        await close();
        kept = { engine: await openEngine(options), asked };
      }
      const { engine } = kept;
      return {
        ...engine,
        async [Symbol.asyncDispose]() {
          if (threads > 1) return await close();
          await engine.renew().catch(close);
        },
      };
    },
    [Symbol.asyncDispose]: close,
  };
}
