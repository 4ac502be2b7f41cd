-- A view for each companion table.
create view :name as from read_parquet(':table.parquet');
