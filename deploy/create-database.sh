#!/bin/sh
# The portal's account owns its database and may create roles and, to test its backups, databases. It is no superuser.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$PORTAL_PASSWORD" --username postgres <<'SQL'
create role portal login createrole createdb password :'password';
create database portal owner portal encoding 'UTF8' template template0;
SQL
