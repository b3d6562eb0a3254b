// What a PostgreSQL server says about itself and the account, with reads that need no rights and change nothing.
import { sql } from 'kysely';
import { AUDIT_ROLE } from './audit-functions.ts';
import type { Database } from './database.ts';
import { IDLE_ROLE, PLATFORM_ROLE, SCHOOL_ROLE } from './row-level-security.ts';

export interface DatabaseFacts {
  /** Such as 150004. */
  version: number;
  encoding: string;
  /** Quoted for SQL, like `database`. */
  account: string;
  database: string;
  isSuperuser: boolean;
  canCreateRoles: boolean;
  canCreateDatabases: boolean;
  owner: string;
  isOwner: boolean;
  isStandby: boolean;
  isReadOnly: boolean;
  maxConnections: number;
}

export async function readDatabaseFacts({ kysely }: Database): Promise<DatabaseFacts | undefined> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version_num')::int as version, pg_encoding_to_char(d.encoding) as encoding,
      quote_ident(r.rolname) as account, quote_ident(d.datname) as database,
      r.rolsuper as "isSuperuser", r.rolcreaterole as "canCreateRoles",
      r.rolcreatedb as "canCreateDatabases",
      pg_get_userbyid(d.datdba) as owner, pg_has_role(r.oid, d.datdba, 'usage') as "isOwner",
      pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('max_connections')::int as "maxConnections"
    from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = session_user`.execute(kysely);
  return rows[0];
}

/** A table of the portal that does not belong to the account, and its owner. */
export async function findForeignTable({ kysely }: Database): Promise<{ name: string; owner: string } | undefined> {
  const { rows } = await sql<{ name: string; owner: string }>`
    select n.nspname || '.' || c.relname as name, pg_get_userbyid(c.relowner) as owner
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p')
      and not pg_has_role(session_user, c.relowner, 'usage')
      and not exists (select from pg_depend x where x.classid = 'pg_class'::regclass and x.objid = c.oid and x.deptype = 'e')
    order by 1 limit 1`.execute(kysely);
  return rows[0];
}

/** A role of the portal as the account sees it. */
export interface RoleFacts {
  name: string;
  exists: boolean;
  /** At each start the account joins this role and leaves it again. */
  isJoinedAtStart: boolean;
  isMember: boolean;
  isAdmin: boolean;
}

export async function listRoleFacts({ kysely }: Database): Promise<RoleFacts[]> {
  const names = [SCHOOL_ROLE, PLATFORM_ROLE, IDLE_ROLE, AUDIT_ROLE];
  const { rows } = await sql<{ name: string; isMember: boolean; isAdmin: boolean }>`
    select r.rolname as name, pg_has_role(session_user, r.oid, 'member with admin option') as "isAdmin",
      exists (select from pg_auth_members m where m.roleid = r.oid and m.member = session_user::regrole) as "isMember"
    from pg_roles r where r.rolname in (${sql.join(names)})`.execute(kysely);
  return names.map((name) => {
    const found = rows.find((row) => row.name === name);
    return {
      name,
      exists: found !== undefined,
      isJoinedAtStart: name === AUDIT_ROLE,
      isMember: found?.isMember ?? false,
      isAdmin: found?.isAdmin ?? false,
    };
  });
}

/** A text that two connections share when they lead to the same database of the same server. */
export async function readIdentity({ kysely }: Database): Promise<string> {
  const { rows } = await sql<{ identity: string; hasIdentifier: boolean }>`
    select concat_ws(' ', d.oid, d.datname, extract(epoch from pg_postmaster_start_time())) as identity,
      has_function_privilege('pg_control_system()', 'execute') as "hasIdentifier"
    from pg_database d where d.datname = current_database()`.execute(kysely);
  const { identity = '', hasIdentifier = false } = rows[0] ?? {};
  if (!hasIdentifier) return identity;
  const system = await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`.execute(
    kysely,
  );
  return `${identity} ${system.rows[0]?.id}`;
}
