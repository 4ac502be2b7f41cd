-- The tables of the snapshot, each by its name.
create view :table as from read_parquet(':table.parquet');
