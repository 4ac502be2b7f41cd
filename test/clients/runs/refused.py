"""A version that is not there is refused in words; a retracted one is read, also by default, and says so."""
import json, os, sys, time, urllib.request
import delta_sharing

PROFILE, SECOND = os.environ["PROFILE"], os.environ["SECOND"]
COSTS = f"{PROFILE}#crossfoot.reporting.costs"
try:
    delta_sharing.load_as_pandas(COSTS, version=99)
    sys.exit("version 99 was read")
except Exception as error:
    said = f"{error} {getattr(getattr(error, 'response', None), 'text', '')}"
    if "Versions that can be read: 1 to 2." not in said:
        sys.exit(f"version 99 is refused with {said}")


def retracted():
    """When the newest version was retracted, as the answer to a query says; None before."""
    address = f"{os.environ['BASE_URL'].removesuffix('/v1')}/delta-sharing/shares/crossfoot/schemas/reporting/tables/costs/query"
    request = urllib.request.Request(
        address, data=b"{}", method="POST", headers={"Authorization": f"Bearer {os.environ['TOKEN']}"}
    )
    return urllib.request.urlopen(request).headers["x-snapshot-retracted"]


since = retracted()
for _ in range(120):
    if since is not None:
        break
    time.sleep(0.5)  # the server reads the marks again within seconds
    since = retracted()
if since is None or set(delta_sharing.load_as_pandas(COSTS)["snapshot_id"]) != {SECOND}:
    sys.exit(f"the retracted version is not read by default, or does not say so: {since}")
print(json.dumps({"refused": 99}))
