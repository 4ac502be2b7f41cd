#!/bin/sh
# Makes the secrets of compose.yaml in ./secrets, with openssl. A secret that is there stays as it is, so it may run again.
set -eu
mkdir -p secrets
chmod 700 secrets
random() { openssl rand -hex 32; }
# The user of a container reads the file itself; nobody else on this machine reads the folder.
keep() {
  [ -s "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
  chmod 644 "secrets/$1"
}
keep postgres_password "$(random)"
keep server_password "$(random)"
keep owner_url "postgres://postgres:$(cat secrets/postgres_password)@db/crossfoot"
keep server_url "postgres://crossfoot_server:$(cat secrets/server_password)@db/crossfoot"
keep s3_credentials "[default]
aws_access_key_id = crossfoot
aws_secret_access_key = $(random)"
[ -s secrets/s3_key ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
  -subj /CN=s3 -addext subjectAltName=DNS:s3 -keyout secrets/s3_key -out secrets/s3_certificate 2> /dev/null
chmod 644 secrets/s3_key secrets/s3_certificate
keep secret_keys "$(random)"
keep signing_keys "$(random)"
