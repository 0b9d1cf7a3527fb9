#!/bin/sh
# Makes the role and the database of the servers, when the database is first started. The role is no superuser.
set -eu
psql --username "${POSTGRES_USER:-postgres}" --dbname postgres --set ON_ERROR_STOP=1 \
    --set password="$LEUTHEN_DB_PASSWORD" <<'SQL'
CREATE ROLE leuthen LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE leuthen OWNER leuthen ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE leuthen FROM PUBLIC;
SQL
