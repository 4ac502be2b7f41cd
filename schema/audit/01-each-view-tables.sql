-- A view for each table of the snapshot.
create view :table as from read_parquet(':table.parquet');
