/** The introduction of the contract, before its routes. */

/** How to call the API and how it answers, as Markdown. */
export const INTRODUCTION = `What a company's AI initiatives cost and bring in: live figures, and the audited tables of every night.

- **Asking.** Every route is a GET, and answers HEAD. Send an access token as \`Authorization: Bearer …\`, or as the
  password of HTTP Basic with any user name. A reporting token reads the \`/reporting\` routes only.
- **Amounts** are integer cents with the currency beside them. Cash value and freed capacity are kept apart and never added.
- **Lists** come oldest change first, by \`updated_at\` and \`id\`. Pass \`next_cursor\` as \`cursor\` until \`has_more\` is
  false. A row that changes during the walk may be seen again; a deleted one is simply absent.
- **Refusals** are all \`{"error":{"status":…,"message":…}}\`. Unknown and repeated parameters are refused, never ignored.
  A method other than GET and HEAD gets 405, a request that is not well-formed 400, 408, 417 or 431, all in that shape.
- **Within v1** fields, values of parameters and routes are only added: tolerate fields you do not know.`;

/** The groups of routes, in their order. */
export const TAGS = [
  { name: 'Figures', description: 'What is computed now: return, and initiatives against their budgets.' },
  {
    name: 'Records',
    description: 'The records behind the figures, as lists with cursors.',
  },
  { name: 'Reporting', description: 'The audited tables of a night, as Parquet files.' },
  { name: 'Contract', description: 'This description.' },
];
