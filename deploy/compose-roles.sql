-- The login of servers and workers, made after the migration. Run again, it only sets the password.
\set password `cat /run/secrets/server_password`
select 'create role crossfoot_server login in role cf_reader, cf_service'
where not exists (select from pg_roles where rolname = 'crossfoot_server') \gexec
alter role crossfoot_server password :'password';
