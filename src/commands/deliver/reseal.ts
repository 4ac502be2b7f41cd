/** `crossfoot deliver reseal`: after a rotation no secret of a target needs an older key. */
import type { Client } from 'pg';
import { readSealed, replaceSeal } from '../../deliveries/targets.ts';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { boundTo, resealKey } from '../../run/delivery-target.ts';

/** Seals each secret with the first key. Throws at the end if no key opens a secret; all other secrets are sealed. */
export async function reseal(owner: Client, context: CommandContext): Promise<void> {
  const { settings } = openSettings(context);
  const targets = await readSealed(owner);
  const unopened: string[] = [];
  let resealed = 0;
  for (const target of targets) {
    try {
      const sealed = await resealKey(settings, target.sealed, boundTo(target.account_id, target));
      if (sealed === target.sealed) continue;
      await replaceSeal(owner, target, sealed);
      resealed += 1;
    } catch (error) {
      if (!isCrossfootError(error) || error.code !== 'delivery_refused') throw error;
      unopened.push(`target ${target.id} of account ${target.account_id}`);
    }
  }
  const current = targets.length - unopened.length;
  context.print(
    `${resealed} sealed again; the first of the SECRET_KEYS opens ${current} of ${targets.length}`,
  );
  if (unopened.length === 0) return;
  throw new CrossfootError('delivery_refused', `No key of the SECRET_KEYS opens ${unopened.join(', ')}.`, {
    hint: 'Add the key that sealed them to the end of SECRET_KEYS and repeat, or remove those targets and add them again.',
  });
}
