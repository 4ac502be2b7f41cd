"""Runs a script of SQL in ClickHouse's engine, statement by statement; prints the answer of the last one."""

import sys

from chdb.session import Session

state, script = sys.argv[1:]
session = Session(state)
said = ""
with open(script, encoding="utf-8") as file:
    for statement in file.read().split(";\n"):
        if statement.strip():
            said = str(session.query(statement, "JSONCompactEachRow"))
print(said)
