"""`delta-sharing` lists and reads every table in each way; pandas and Arrow must agree with `reported_totals` to the cent."""
import io, json, os, sys, urllib.request
import delta_sharing
import pyarrow.parquet
from delta_sharing.protocol import DeltaSharingProfile, Table
from delta_sharing.rest_client import DataSharingRestClient

FIRST, SECOND = os.environ["FIRST"], os.environ["SECOND"]
PROFILE = os.environ["PROFILE"]
REPORTING, PIN = "reporting", "close-2026-10"
# How a client names a version, and the snapshot that it must get.
WAYS = [
    (REPORTING, {}, SECOND),
    (REPORTING, {"version": 1}, FIRST),
    (REPORTING, {"timestamp": os.environ["MOMENT"]}, FIRST),
    (PIN, {}, FIRST),
]
CASH = {"revenue_gain", "cost_savings", "cost_avoidance", "capacity_realized"}


def must(holds, what):
    if not holds:
        sys.exit(f"{what} does not hold")


def in_arrow(client, schema, table, named):
    """The rows of the one file that the answer names, with whole numbers as they are."""
    answer = client.list_files_in_table(Table(table, "crossfoot", schema), **named)
    [file] = answer.add_files
    return pyarrow.parquet.read_table(io.BytesIO(urllib.request.urlopen(file.url).read()))


def total(rows, figure):
    [whole] = [row for row in rows if row["scope"] == "portfolio" and row["window_key"] == "all"]
    return whole[figure]


listed = delta_sharing.SharingClient(PROFILE).list_all_tables()
names = sorted({table.name for table in listed})
must(len(names) == 16 and len(listed) == 32, "the fourteen tables, FOCUS and usage in each of two schemas")
client = DataSharingRestClient(DeltaSharingProfile.read_from_file(PROFILE))
costs = []
for schema, named, snapshot_id in WAYS:
    rows = {}
    for name in names:
        arrow = in_arrow(client, schema, name, named)
        frame = delta_sharing.load_as_pandas(f"{PROFILE}#crossfoot.{schema}.{name}", **named)
        where = f"{schema}.{name} {named}"
        must(arrow.num_rows == len(frame), f"the same rows in Arrow and pandas: {where}")
        must(list(frame.columns) == arrow.column_names, f"the same columns: {where}")
        if name == "focus":
            continue  # its columns are those of FOCUS, which has no snapshots
        ids = set(arrow.column("snapshot_id").to_pylist()) | set(frame["snapshot_id"])
        must(ids <= {snapshot_id}, f"only rows of {snapshot_id}: {where}")
        rows[name] = (arrow.to_pylist(), frame)
    totals = rows["reported_totals"][0]
    used, used_frame = rows["ai_usage"]
    billed = sum(row["cost_cents"] for row in used if row["is_ai"])
    must(billed > 0 and int(used_frame[used_frame["is_ai"]]["cost_cents"].sum()) == billed, "the AI cost of usage")
    cost = sum(row["usd_amount_cents"] or 0 for row in rows["costs"][0])
    must(cost == total(totals, "cost_cents"), "the cost of the portfolio in Arrow")
    must(int(rows["costs"][1]["usd_amount_cents"].sum()) == cost, "the cost of the portfolio in pandas")
    cash = sum(row["usd_amount_cents"] or 0 for row in rows["reported_value"][0] if row["entry_type"] in CASH)
    must(cash == total(totals, "cash_value_cents"), "the cash value of the portfolio")
    costs.append(cost)
print(json.dumps({"reads": len(WAYS) * len(names), "cost_cents": costs}))
