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
  'told-events': {
    rule: 'a webhook is told the events that it asked for, and no others (webhooks)',
    file: 'schema/ledger/0040-webhook-forms.sql',
    find: 'where w.account_id = account and w.disabled_at is null and event = any (w.events)',
    replace: 'where w.account_id = account and w.disabled_at is null and event <> all (array[]::text[])',
    caughtBy: ['test/webhooks/deliver-forms.test.ts'],
  },
  'told-first-events': {
    rule: 'a webhook that names no events is told no type that came later (webhooks)',
    file: 'schema/ledger/0040-webhook-forms.sql',
    find: "'snapshot.published', 'snapshot.refused', 'snapshot.failed', 'snapshot.stale', 'snapshot.retracted', 'snapshot.damaged'",
    replace:
      "'snapshot.published', 'snapshot.refused', 'snapshot.failed', 'snapshot.stale', 'snapshot.retracted', 'snapshot.late'",
    caughtBy: ['test/webhooks/deliver-forms.test.ts'],
  },
  'told-form': {
    rule: 'each webhook is told in its own form (webhooks)',
    file: 'src/webhooks/forms.ts',
    find: "return JSON.stringify(form === 'slack' ? slackMessage(body) : teamsMessage(body));",
    replace: "return JSON.stringify(form === 'teams' ? slackMessage(body) : teamsMessage(body));",
    caughtBy: ['test/webhooks/told.test.ts'],
  },
  'told-signed': {
    rule: 'a signature is of the bytes that are sent, in each form (webhooks)',
    file: 'src/webhooks/send-message.ts',
    find: '...signedHeaders({ id: message_id, sent_s, body }, secrets),',
    replace: '...signedHeaders({ id: message_id, sent_s, body: message.body }, secrets),',
    caughtBy: ['test/webhooks/deliver-forms.test.ts'],
  },
  'told-slack-signs': {
    rule: 'no name can call a channel or make a link in Slack (webhooks)',
    file: 'src/webhooks/forms.ts',
    find: "return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');",
    replace: "return text.replaceAll('&', '&amp;').replaceAll('>', '&gt;');",
    caughtBy: ['test/webhooks/told.test.ts'],
  },
  'told-since': {
    rule: 'a refusal says since when the check refuses (webhooks)',
    file: 'src/webhooks/told.ts',
    find: 'const first = since === read.timestamp ? null : parseInstant(since);',
    replace: 'const first = since === read.timestamp ? parseInstant(since) : null;',
    caughtBy: ['test/webhooks/told.test.ts'],
  },
  'told-one-mailbox': {
    rule: 'a letter goes to one mailbox, with no other header (webhooks)',
    file: 'src/webhooks/mail.ts',
    find: "if (protocol !== 'mailto:' || href !== `mailto:${pathname}`) return null;",
    replace: "if (protocol !== 'mailto:' || href === '') return null;",
    caughtBy: ['test/webhooks/mail.test.ts'],
  },
  'told-login': {
    rule: 'a login of the mail server is sent only over TLS (webhooks)',
    file: 'src/webhooks/mail.ts',
    find: 'requireTLS: !secure,',
    replace: 'requireTLS: secure,',
    caughtBy: ['test/webhooks/mail.test.ts'],
  },
  'told-late': {
    rule: 'a newest snapshot is late after 26 hours (webhooks)',
    file: 'src/webhooks/missed-events.ts',
    find: "if (age > LATE_MICROSECONDS) await enqueueEvent({ type: 'snapshot.late', ...overdue });",
    replace: "if (age > STALE_MICROSECONDS) await enqueueEvent({ type: 'snapshot.late', ...overdue });",
    caughtBy: ['test/webhooks/missed-events.test.ts'],
  },
};
