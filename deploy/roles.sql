-- Roles with the least rights for a database of stakeport. psql reads it as a superuser, in that database, with the passwords of the
-- three roles in the environment: OWNER_PASSWORD, SERVER_PASSWORD and READER_PASSWORD.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv server_password SERVER_PASSWORD
\getenv reader_password READER_PASSWORD

-- Owns the tables; used by `stakeport migrate` alone.
create role stakeport_owner login password :'owner_password';
-- Used by servers and commands that write: reads and writes rows, and changes no table.
create role stakeport_server login password :'server_password';
-- Used by `stakeport audit`, reports and backups.
create role stakeport_reader login password :'reader_password';

revoke all on schema public from public;
grant usage, create on schema public to stakeport_owner;
grant usage on schema public to stakeport_server, stakeport_reader;

alter default privileges for role stakeport_owner in schema public
  grant select, insert, update, delete on tables to stakeport_server;
alter default privileges for role stakeport_owner in schema public
  grant usage on sequences to stakeport_server;
alter default privileges for role stakeport_owner in schema public
  grant select on tables to stakeport_reader;
