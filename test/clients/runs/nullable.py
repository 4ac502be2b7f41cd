"""What pandas does to whole numbers that may be empty, and that the dtypes of Arrow keep them."""
import json, os, sys
import pandas, pyarrow, pyarrow.parquet
import fsspec

LINK = os.environ["LINK"]
with fsspec.open(LINK) as file:
    schema = pyarrow.parquet.read_schema(file)
integers = [field.name for field in schema if pyarrow.types.is_integer(field.type)]
plain = pandas.read_parquet(LINK)
floats = [name for name in integers if plain[name].dtype.kind == "f"]
cured = pandas.read_parquet(LINK, dtype_backend="pyarrow")
left = [name for name in integers if not pyarrow.types.is_integer(cured[name].dtype.pyarrow_dtype)]
restored = [name for name in floats if plain[name].astype("Int64").dropna().tolist() != cured[name].dropna().tolist()]
if left or restored or "usd_amount_cents" not in floats:
    sys.exit(f"left as floats: {left}; not restored: {restored}; floats: {floats}")
print(json.dumps({"integers": len(integers), "floats": len(floats)}))
