/** Webhooks. */
import type { Mutants } from '../mutant.ts';

export const WEBHOOKS: Mutants = {
  'reach-private': {
    rule: 'a webhook reaches no private network (attack A-29)',
    file: 'src/webhooks/allowed-addresses.ts',
    find: "\n  '169.254.0.0/16',",
    replace: '',
    caughtBy: ['test/webhooks/allowed-addresses.test.ts'],
  },
  'webhook-body': {
    rule: 'a signature covers the body (webhooks)',
    file: 'src/webhooks/signature.ts',
    find: 'const signed = `${id}.${sent_s}.${body}`;',
    replace: 'const signed = `${id}.${sent_s}.${body.length}`;',
    caughtBy: ['test/webhooks/signature.test.ts'],
  },
  'webhook-delivered': {
    rule: 'a delivery that was made is not made again (webhooks)',
    file: 'src/webhooks/records.ts',
    find: "\n  .where('d.state', '=', 'pending');\n\n/** Everything that an attempt needs",
    replace: ';\n\n/** Everything that an attempt needs',
    caughtBy: ['test/webhooks/deliver.test.ts'],
  },
  'webhook-event-once': {
    rule: 'an event is kept once, however many say it (webhooks)',
    file: 'src/webhooks/records.ts',
    find: ".onConflict((conflict) => conflict.columns(['account_id', 'message_id']).doNothing())",
    replace:
      ".onConflict((conflict) => conflict.columns(['account_id', 'message_id']).doUpdateSet({ body }))",
    caughtBy: ['test/webhooks/deliver.test.ts'],
  },
  'webhook-gone': {
    rule: 'a receiver that says that it is gone is told nothing more (webhooks)',
    file: 'src/webhooks/deliver.ts',
    find: '\n    await disableWebhook(service, account_id, webhook_id);',
    replace: '',
    caughtBy: ['test/webhooks/deliver.test.ts'],
  },
  'webhook-https': {
    rule: 'a webhook is told over https (attack A-29)',
    file: 'src/webhooks/allowed-addresses.ts',
    find: `const isPlain = url.protocol === 'http:' && isIn(LOOPBACK, host) && mayReach(host);
      if (url.protocol !== 'https:' && !isPlain) return 'it is not https';`,
    replace: "if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it is not https';",
    caughtBy: ['test/webhooks/allowed-addresses.test.ts'],
  },
  'webhook-id': {
    rule: 'a signature covers the id, so that none is taken twice (webhooks)',
    file: 'src/webhooks/signature.ts',
    find: 'const signed = `${id}.${sent_s}.${body}`;',
    replace: 'const signed = `${id.length}.${sent_s}.${body}`;',
    caughtBy: ['test/webhooks/signature.test.ts'],
  },
  'webhook-looked-up': {
    rule: 'a name leads to no private network (attack A-29)',
    file: 'src/webhooks/post.ts',
    find: "else if (!addresses.every(({ address }) => allowed.mayReach(address))) callback(refused(), '', 0);",
    replace: "else if (addresses.length === 0) callback(refused(), '', 0);",
    caughtBy: ['test/webhooks/post.test.ts'],
  },
  'webhook-own-id': {
    rule: 'events of two accounts have two ids (webhooks)',
    file: 'src/webhooks/event.ts',
    find: 'const parts = [event.type, event.account_id, ...identityOf(event)];',
    replace: 'const parts = [event.type, ...identityOf(event)];',
    caughtBy: ['test/webhooks/event.test.ts'],
  },
  'webhook-same-id': {
    rule: 'an event has one id, whoever noticed it (webhooks)',
    file: 'src/webhooks/event.ts',
    find: 'const parts = [event.type, event.account_id, ...identityOf(event)];',
    replace: 'const parts = [event.type, event.account_id, ...identityOf(event), performance.now()];',
    caughtBy: ['test/webhooks/event.test.ts'],
  },
  'webhook-secrets': {
    rule: 'a message opens to the secret that was replaced, too (webhooks)',
    file: 'src/webhooks/signature.ts',
    find: 'const signatures = secrets.map((secret) => {',
    replace: 'const signatures = secrets.slice(0, 1).map((secret) => {',
    caughtBy: ['test/webhooks/signature.test.ts'],
  },
  'webhook-time': {
    rule: 'a message cannot be played back later (webhooks)',
    file: 'src/webhooks/signature.ts',
    find: 'const signed = `${id}.${sent_s}.${body}`;',
    replace: 'const signed = `${id}.${body}`;',
    caughtBy: ['test/webhooks/signature.test.ts'],
  },
  'webhook-written-first': {
    rule: 'what was taken is written down before its job is done (webhooks)',
    file: 'src/webhooks/deliver.ts',
    find: `await recordAttempt(service, account_id, delivery_id, { state: 'delivered', status, fault });
    await queue.complete(taken);`,
    replace: `await queue.complete(taken);
    await recordAttempt(service, account_id, delivery_id, { state: 'delivered', status, fault });`,
    caughtBy: ['test/webhooks/deliver.test.ts'],
  },
};
