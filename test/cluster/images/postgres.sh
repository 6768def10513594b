#!/bin/sh
# Makes the cluster of databases if there is none, then is the server, with the arguments of the container.
set -eu
data=/var/lib/postgresql/18/docker
programs=/usr/local/postgres/bin
export LD_LIBRARY_PATH=/usr/local/postgres/lib LC_ALL=C
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  printf %s "$POSTGRES_PASSWORD" >/tmp/password
  "$programs/initdb" --pgdata "$data" --username "$POSTGRES_USER" --pwfile /tmp/password --auth scram-sha-256 --encoding UTF8 >/dev/null
  rm /tmp/password
  echo "create database $POSTGRES_DB" | "$programs/postgres" --single -D "$data" postgres >/dev/null
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
fi
exec "$programs/postgres" -D "$data" -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql "$@"
