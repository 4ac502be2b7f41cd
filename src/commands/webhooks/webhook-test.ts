/** `crossfoot webhooks test`: sends a signed test message to a receiver immediately, not through the queue. */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { CrossfootError } from '../../errors.ts';
import { readWebhook } from '../../webhooks/endpoints.ts';
import { SECOND } from '../../instant.ts';
import { formatInstant } from '../../time.ts';
import { allowAddresses } from '../../webhooks/allowed-addresses.ts';
import { ADDRESS_REFUSED } from '../../webhooks/guarded-lookup.ts';
import { sendMessage } from '../../webhooks/send-message.ts';
import { type CommandContext, openSettings } from '../../run/context.ts';
import { CLOCK } from '../../run/machine.ts';
import { WRITER } from '../../version.ts';

/** Posts the message and prints the answer; throws unless the receiver accepts it. */
export async function testWebhook(
  owner: Client,
  id: bigint,
  account: bigint,
  context: CommandContext,
): Promise<void> {
  const { settings } = openSettings(context);
  const webhook = await readWebhook(owner, account, id);
  if (webhook === null) {
    throw new CrossfootError('not_found', `Account ${account} has no webhook ${id}.`, {
      hint: `npx --no crossfoot webhooks list --account ${account} lists its webhooks.`,
    });
  }
  const now = CLOCK.now();
  const body = { type: 'test', timestamp: formatInstant(now), data: { account_id: Number(account) } };
  const answer = await sendMessage(
    {
      ...webhook,
      message_id: `msg_test_${randomUUID()}`,
      sent_s: Number(now / SECOND),
      body: JSON.stringify(body),
    },
    {
      allowed: allowAddresses(settings.webhookNetworks),
      mail: settings.mail,
      sender: WRITER.replace(' ', '/'),
      signal: context.signal,
      now: CLOCK.now,
    },
  );
  const result = 'status' in answer ? `answered ${answer.status}` : `gave no answer: ${answer.fault}`;
  if (!('status' in answer) || answer.status < 200 || answer.status > 299) {
    throw new CrossfootError('webhook_refused', `The receiver of webhook ${id} ${result}.`, {
      hint: isRefused(answer)
        ? 'This command may not reach the address: set WEBHOOK_NETWORKS for it, as when the webhook was added, and for the workers.'
        : 'The receiver must answer with a status from 200 to 299; redirects are not followed.',
    });
  }
  context.print(`webhook ${id} ${result}`);
}

function isRefused(answer: Awaited<ReturnType<typeof sendMessage>>): boolean {
  return 'fault' in answer && answer.fault === ADDRESS_REFUSED;
}
