-- What each caller has spent of its requests, so that several servers refuse as one. Nothing here outlives a minute by
-- much: unlogged, it costs no write-ahead log and is empty after a crash, which forgives everybody once.
create unlogged table ops.rate_limits (
  -- The minute since 1970, by the server's clock and shifted by the subject, so that not all begin anew at once.
  window_number bigint not null,
  -- `token:` and an id, or `address:` and an address or the network of one.
  subject text not null,
  points bigint not null check (points > 0),
  primary key (window_number, subject)
);
grant select, insert, update, delete on ops.rate_limits to cf_service;
grant select on ops.rate_limits to cf_backup;
