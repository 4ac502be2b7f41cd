"""Spark reads every table in each way, and one version of two tables together: their cost must be equal to the cent."""
import json, os, sys
from functools import reduce
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

FIRST, SECOND, PROFILE = os.environ["FIRST"], os.environ["SECOND"], os.environ["PROFILE"]
REPORTING, PIN = "reporting", "close-2026-10"
WAYS = [
    (REPORTING, {}, SECOND),
    (REPORTING, {"versionAsOf": "1"}, FIRST),
    (REPORTING, {"timestampAsOf": os.environ["MOMENT"]}, FIRST),
    (PIN, {}, FIRST),
]
ROWS = json.loads(os.environ["ROWS"])  # of each table of the two snapshots


def must(holds, what):
    if not holds:
        sys.exit(f"{what} does not hold")


spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.jars", os.environ["JARS"])
    .config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.memory", "1g")
    .config("spark.sql.shuffle.partitions", "1")
    .config("spark.sql.session.timeZone", "UTC")
    # Off in Spark today; the answers must be right with it, too.
    .config("spark.delta.sharing.query.includeEndStreamAction", "true")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def table(schema, name, options):
    return spark.read.format("deltaSharing").options(**options).load(f"{PROFILE}#crossfoot.{schema}.{name}")


def counted(schema, name, options):
    return table(schema, name, options).agg(
        sql.lit(name).alias("name"), sql.count("*").alias("rows"), sql.max("snapshot_id").alias("snapshot_id")
    )


costs = []
for schema, options, snapshot_id in WAYS:
    counts = reduce(DataFrame.union, [counted(schema, name, options) for name in sorted(ROWS[snapshot_id])])
    for row in counts.collect():
        where = f"{schema}.{row['name']} {options}"
        must(row["rows"] == ROWS[snapshot_id][row["name"]], f"the rows of the manifest: {where}")
        must(row["snapshot_id"] in (snapshot_id, None), f"only rows of {snapshot_id}: {where}")
    cost = table(schema, "costs", options).agg(sql.sum("usd_amount_cents").alias("cost"))
    totals = table(schema, "reported_totals", options).where("scope = 'portfolio' and window_key = 'all'")
    [both] = totals.crossJoin(cost).select("cost_cents", "cost").collect()
    must(both["cost"] == both["cost_cents"], f"the cost of the portfolio: {schema} {options}")
    costs.append(both["cost"])
feed = table(REPORTING, "costs", {"readChangeFeed": "true", "startingVersion": "2", "endingVersion": "2"})
kinds = {row["_change_type"]: row["count"] for row in feed.groupBy("_change_type").count().collect()}
print(json.dumps({"reads": len(WAYS) * len(ROWS[FIRST]), "cost_cents": costs, "costs_changed": kinds}))
spark.stop()
