-- Help articles are read at /docs, too: listed by theme, and never in place of the page of the API.

alter table ledger.help_articles
  add column theme text check (btrim(theme) <> ''),
  add constraint help_articles_slug_free check (slug <> 'api');
