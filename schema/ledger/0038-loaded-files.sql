-- The files of every load, with their digests: they say later which file a row came from. A load compares rows and never
-- these digests, so a file that was replaced by another can be loaded again.
create table ops.loaded_files (
  id bigint generated always as identity primary key,
  loaded_at timestamptz not null default transaction_timestamp(),
  source text not null check (source <> ''),
  file text not null check (file <> ''),
  -- Of the file as it lies there, packed or not.
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- Without the header.
  rows bigint not null check (rows >= 0)
);
create index loaded_files_sha256 on ops.loaded_files (sha256);
grant select on ops.loaded_files to cf_backup;
grant select on sequence ops.loaded_files_id_seq to cf_backup;
