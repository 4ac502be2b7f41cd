/** The forms of a webhook: how the same event is written for a program, for Slack, for Teams and as a letter. */
import type { WebhookForm } from './names.ts';
import { tellOf } from './told.ts';

const LINK = 'Open the page';
/** Slack refuses a block of more than 3,000 characters; page and command need some of them. */
const SLACK_SENTENCE = 2_000;

/** The body that is posted: the JSON of the event as it is, or a message of Slack or Teams that tells it. */
export function postedBody(form: Exclude<WebhookForm, 'email'>, body: string): string {
  if (form === 'json') return body;
  return JSON.stringify(form === 'slack' ? slackMessage(body) : teamsMessage(body));
}

/** A message of an incoming webhook of Slack: https://api.slack.com/messaging/webhooks. */
export function slackMessage(body: string) {
  const { sentence, link, command } = tellOf(body);
  const text = escapeSlack(
    sentence.length <= SLACK_SENTENCE ? sentence : `${sentence.slice(0, SLACK_SENTENCE)}…`,
  );
  const lines = [
    text,
    ...(link === null ? [] : [`<${escapeSlack(link)}|${LINK}>`]),
    `\`${escapeSlack(command)}\``,
  ];
  return {
    // What a notification shows, which has no formatting.
    text,
    unfurl_links: false,
    blocks: [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text: lines.join('\n') } }],
  };
}

function textBlock(text: string, more: Readonly<Record<string, string>> = {}) {
  return { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text, ...more }] };
}

/** An adaptive card, as a workflow of Teams posts it. A run of text has no Markdown, so that no name can format it. */
export function teamsMessage(body: string) {
  const { sentence, link, command } = tellOf(body);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [textBlock(sentence), textBlock(command, { fontType: 'Monospace' })],
          actions: link === null ? [] : [{ type: 'Action.OpenUrl', title: LINK, url: link }],
        },
      },
    ],
  };
}

/** The subject and text of a letter. */
export function letterOf(body: string): { readonly subject: string; readonly text: string } {
  const { subject, sentence, link, command } = tellOf(body);
  const lines = [sentence, ...(link === null ? [] : [`${LINK}: ${link}`]), `Run next: ${command}`];
  return { subject, text: `${lines.join('\n\n')}\n` };
}

/** The three signs that Slack reads as its own. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
