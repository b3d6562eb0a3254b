import { type QueryExecutorProvider, sql } from 'kysely';

/** The role of the functions that change the audit log. The portal's account is no member of it. */
export const AUDIT_ROLE = 'portal_audit';
/** The tables of the audit log that the portal's account may read and add to, but not change. */
export const AUDIT_TABLES = ['audit_log', 'audit_seals', 'audit_chains'] as const;

const DEFINER = `security definer set search_path = pg_catalog, pg_temp language plpgsql`;

/**
 * The only statements that change or delete rows of the audit log. Each stores the next signed head of the chain and
 * fails unless `p_expected` is the signature of the current one, so that two processes cannot extend the same head.
 */
const FUNCTIONS = [
  `create or replace function audit.move_head(p_school bigint, p_expected bytea, p_head jsonb) returns void ${DEFINER} as $$
declare
  moved bigint;
begin
  update public.audit_chains set
    first_number = (p_head ->> 'first_number')::bigint, first_digest = decode(p_head ->> 'first_digest', 'hex'),
    last_number = (p_head ->> 'last_number')::bigint, last_digest = decode(p_head ->> 'last_digest', 'hex'),
    erased = (p_head ->> 'erased')::bigint, erased_digest = decode(p_head ->> 'erased_digest', 'hex'),
    signature = decode(p_head ->> 'signature', 'hex')
  where school_id = p_school and signature = p_expected
    and first_number <= (p_head ->> 'first_number')::bigint and last_number <= (p_head ->> 'last_number')::bigint
    and erased <= (p_head ->> 'erased')::bigint;
  get diagnostics moved = row_count;
  if moved = 0 then
    raise exception 'The head of the audit log of school % was moved meanwhile, or would move back.', p_school;
  end if;
end $$`,
  `create or replace function audit.extend(p_school bigint, p_expected bytea, p_seals jsonb, p_head jsonb) returns void ${DEFINER} as $$
declare
  seal record;
begin
  for seal in
    insert into public.audit_seals (school_id, number, entry_id, salt, details_digest, digest, sealed_at)
    select p_school, s.number, s.entry_id, decode(s.salt, 'hex'), decode(s.details_digest, 'hex'), decode(s.digest, 'hex'), s.sealed_at
    from jsonb_to_recordset(p_seals) as s(number bigint, entry_id bigint, salt text, details_digest text, digest text, sealed_at timestamptz)
    returning number
  loop
  end loop;
  perform audit.move_head(p_school, p_expected, p_head);
end $$`,
  `create or replace function audit.prune(p_school bigint, p_expected bytea, p_last bigint, p_head jsonb) returns void ${DEFINER} as $$
begin
  delete from public.audit_log where school_id = p_school and id in (
    select entry_id from public.audit_seals where school_id = p_school and number <= p_last);
  delete from public.audit_seals where school_id = p_school and number <= p_last;
  perform audit.move_head(p_school, p_expected, p_head);
end $$`,
  `create or replace function audit.erase_details(p_school bigint, p_entries bigint[], p_receipt bytea, p_expected bytea, p_head jsonb) returns bigint ${DEFINER} as $$
declare
  changed bigint;
begin
  update public.audit_seals set salt = null, receipt = p_receipt
  where school_id = p_school and entry_id = any (p_entries) and salt is not null;
  update public.audit_log set details = '{}' where school_id = p_school and id = any (p_entries);
  get diagnostics changed = row_count;
  if p_head is not null then
    perform audit.move_head(p_school, p_expected, p_head);
  end if;
  return changed;
end $$`,
  `create or replace function audit.delete_entries(p_school bigint, p_limit bigint) returns bigint ${DEFINER} as $$
declare
  deleted bigint;
begin
  delete from public.audit_log where school_id = p_school and id in (
    select id from public.audit_log where school_id = p_school limit p_limit);
  get diagnostics deleted = row_count;
  return deleted;
end $$`,
  `create or replace function audit.restart(p_school bigint, p_begun_at timestamptz, p_head jsonb) returns void ${DEFINER} as $$
begin
  delete from public.audit_seals where school_id = p_school;
  insert into public.audit_chains (school_id, begun_at, first_number, first_digest, last_number, last_digest, erased, erased_digest, signature)
  values (p_school, p_begun_at, (p_head ->> 'first_number')::bigint, decode(p_head ->> 'first_digest', 'hex'),
    (p_head ->> 'last_number')::bigint, decode(p_head ->> 'last_digest', 'hex'),
    (p_head ->> 'erased')::bigint, decode(p_head ->> 'erased_digest', 'hex'), decode(p_head ->> 'signature', 'hex'))
  on conflict (school_id) do update set begun_at = excluded.begun_at,
    first_number = excluded.first_number, first_digest = excluded.first_digest, last_number = excluded.last_number,
    last_digest = excluded.last_digest, erased = excluded.erased, erased_digest = excluded.erased_digest,
    signature = excluded.signature;
end $$`,
];

/**
 * Takes update, delete and truncate on the audit log from the portal's account, and gives them to functions that
 * another role owns. The account leaves that role again. A superuser, such as the only user of the embedded database,
 * is not subject to rights. Safe to run again.
 */
export async function protectAuditLog(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ account: string; isSuperuser: boolean }>`
    select quote_ident(rolname) as account, rolsuper as "isSuperuser" from pg_roles where rolname = current_user`.execute(
    db,
  );
  const { account = '', isSuperuser = false } = rows[0] ?? {};
  const tables = AUDIT_TABLES.join(', ');
  for (const statement of [
    ...(isSuperuser ? [] : [`grant ${AUDIT_ROLE} to ${account}`]),
    'create schema if not exists audit',
    `grant usage, create on schema audit to ${AUDIT_ROLE}`,
    ...FUNCTIONS,
    ...FUNCTIONS.map((text) => /function (audit\.\w+)/.exec(text)?.[1] ?? '').flatMap((name) => [
      `alter function ${name} owner to ${AUDIT_ROLE}`,
      `revoke all on function ${name} from public`,
      `grant execute on function ${name} to ${account}`,
    ]),
    `revoke create on schema audit from ${AUDIT_ROLE}`,
    ...AUDIT_TABLES.flatMap((table) => [
      `drop policy if exists audit on ${table}`,
      `create policy audit on ${table} to ${AUDIT_ROLE} using (true)`,
    ]),
    `grant select, insert, update, delete on ${tables} to ${AUDIT_ROLE}`,
    `revoke update, delete, truncate on ${tables} from ${account}`,
    ...(isSuperuser ? [] : [`revoke ${AUDIT_ROLE} from ${account}`]),
  ])
    await sql.raw(statement).execute(db);
}

/** Returns whether the functions exist and belong to their role, which they do not after a restore. */
export async function isAuditLogProtected(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'audit' and pg_get_userbyid(p.proowner) = ${AUDIT_ROLE}`.execute(db);
  return Number(rows[0]?.count) === FUNCTIONS.length;
}
