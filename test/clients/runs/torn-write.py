"""A table without compression, so that both snapshots have equal places: columns a and b are version * 10^12 + noise."""
import random, sys
import pyarrow as pa, pyarrow.parquet as pq

file, version, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
noise = random.Random(version)
column = lambda: pa.array([version * 10**12 + noise.getrandbits(39) for _ in range(rows)], pa.int64())
table = pa.table({"a": column(), "b": column()})
pq.write_table(table, file, compression="none", use_dictionary=False, row_group_size=rows // 4)
