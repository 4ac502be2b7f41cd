"""Reads one moment of the ledger with Spark, and writes the reporting tables as Parquet files: a folder for each table.

    spark-submit --packages org.postgresql:postgresql:42.7.8 spark_moment.py plan.json <folder> [<table> ...]

`crossfoot moment` writes plan.json and holds the moment open. LEDGER_URL names the same database as there; only this script
has the password. A connection that does not see the moment fails, because each predicate of the plan has a guard. A null in
a required column fails, too. Needs Spark 4 and Java 17.
"""
import json
import os
import sys
from urllib.parse import quote, unquote, urlsplit

from pyspark.sql import SparkSession, functions as sql, types

TYPES = {
    "string": types.StringType(),
    "text": types.StringType(),
    "json": types.StringType(),
    "integer": types.IntegerType(),
    "number": types.DoubleType(),
    "boolean": types.BooleanType(),
    "date": types.DateType(),
    "timestamp": types.TimestampType(),
    "id": types.LongType(),
    "cents": types.LongType(),
}
FETCHED_ROWS = "10000"  # 0 would read in transactions of their own, outside the moment

plan_file, folder, *wanted = sys.argv[1:]
with open(plan_file, encoding="utf-8") as file:
    plan = json.load(file)
ledger = urlsplit(os.environ["LEDGER_URL"])
query = f"{ledger.query}&" if ledger.query else ""
url = f"jdbc:postgresql://{ledger.hostname}:{ledger.port or 5432}{ledger.path}?{query}options={quote(plan['session_options'])}"
properties = {
    "driver": "org.postgresql.Driver",
    "user": unquote(ledger.username or ""),
    "password": unquote(ledger.password or ""),
    "sessionInitStatement": plan["session_start"],
    "fetchsize": FETCHED_ROWS,
}
spark = SparkSession.builder.getOrCreate()
spark.conf.set("spark.sql.session.timeZone", "UTC")
spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
spark.conf.set("spark.sql.parquet.compression.codec", "zstd")

for table in plan["tables"]:
    if wanted and table["name"] not in wanted:
        continue
    columns = table["columns"]
    read = spark.read.jdbc(url, f"({table['select']}) rows", predicates=table["predicates"], properties=properties)
    rows = read.select([sql.lit(each["value"]).alias(each["name"]) if "value" in each else each["name"] for each in columns])
    fields = [
        types.StructField(each["name"], TYPES[each["kind"]], not each["required"], {"parquet.field.id": each["field_id"]})
        for each in columns
    ]
    if [field.dataType for field in rows.schema] != [field.dataType for field in fields]:
        sys.exit(f"{table['name']}: the types of the columns differ from the plan")
    # Checks each row: a required column without a value fails. `internalCreateDataFrame` would write 0 in its place.
    schema = spark._jvm.org.apache.spark.sql.types.DataType.fromJson(types.StructType(fields).json())
    spark._jsparkSession.createDataFrame(rows._jdf.toJavaRDD(), schema).write().parquet(f"{folder}/{table['name']}")
    print(table["name"], flush=True)
spark.stop()
