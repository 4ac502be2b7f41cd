/** The text at the top of the API description (OpenAPI), above the routes. */

/** How to call the API and how it answers, as Markdown. */
export const INTRODUCTION = `What a company's AI initiatives cost and bring in: live figures, and the audited tables of every night.

- **Asking.** Call every route with GET or HEAD. Send an access token as \`Authorization: Bearer …\`, or as the
  password of HTTP Basic with any user name. A reporting token reads the \`/reporting\` routes only.
- **Amounts** are integer cents with the currency beside them. Cash value and freed capacity are kept apart and never added.
- **Lists** are sorted by \`updated_at\`, then \`id\`: the oldest change comes first. \`/budgets\` has the order of
  \`/initiatives\`. Pass \`next_cursor\` as \`cursor\` until \`has_more\` is false. A row that changes while you read the pages
  may come again. A deleted row does not come.
- **Refusals** are all \`{"error":{"status":…,"message":…}}\`. Unknown and repeated parameters are refused, never ignored.
  Another method than GET and HEAD gets 405; a request with a body gets 400; a method that the server does not know gets 501.
  A malformed request gets 400, 408, 417 or 431. All refusals have the same JSON form.
- **Within v1** we only add fields, parameter values and routes, and never remove one: tolerate fields you do not know.`;

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
