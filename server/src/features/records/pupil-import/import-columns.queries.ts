import { sql } from 'kysely';
import type { BodyOf } from '#contract/call.ts';
import type { ColumnRole, pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { MAX_REMEMBERED_COLUMNS } from '#contract/limits.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { digestKeys } from '../../../auth/secrets-key.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { listTags } from '../../school/pupils/pupils.public.ts';
import { headerKey } from '../../../lists/header-words.ts';
import { classKey, listClasses } from '../../school/classes/classes.public.ts';
import { digestHeader, type StoredKnowledge, toKnowledge } from './list-knowledge.service.ts';
import { looksPersonal } from './match-digests.service.ts';

export type ColumnChoices = NonNullable<BodyOf<typeof pupilImportCalls.createPupils>['columns']>;

/** The keys for the digests of headers. */
const headerKeysOf = (config: Config) => digestKeys(config, 'import column');

/** What an import of this user knows about the school's lists. Only admins tag pupils. */
export async function getListKnowledge(db: SchoolDb, me: StaffSession, config: Config): Promise<StoredKnowledge> {
  const classes = await listClasses(db, me);
  const tags = me.role === 'admin' ? await listTags(db) : [];
  const rows = await db.tx
    .selectFrom('import_columns')
    .select(['header_key', 'role', 'tag_id'])
    .where('school_id', '=', db.schoolId)
    .execute();
  const usable = rows.filter(({ tag_id }) => tag_id === null || tags.some(({ id }) => id === tag_id));
  return {
    schoolId: db.schoolId,
    headerKeys: headerKeysOf(config),
    remembered: new Map(
      usable.map(({ header_key, role, tag_id }) => [
        header_key,
        tag_id === null ? (role as ColumnRole) : (`tag:${tag_id}` as const),
      ]),
    ),
    tags,
    classes: new Set(classes.map(({ name }) => classKey(name))),
  };
}

/** Stores roles by `headerKey`, and deletes those beyond the limit that were chosen longest ago. */
async function saveImportColumns(
  db: SchoolDb,
  columns: ReadonlyMap<string, ColumnRole>,
  config: Config,
  now: Date,
): Promise<void> {
  const given = [...columns].map(([key, role]) => ({
    header_key: digestHeader({ schoolId: db.schoolId, headerKeys: headerKeysOf(config) }, key)[0],
    ...(role.startsWith('tag:') ? { role: 'tag', tag_id: Number(role.slice(4)) } : { role, tag_id: null }),
  }));
  await sql`
    insert into import_columns (school_id, header_key, role, tag_id, chosen_at)
    select ${db.schoolId}::bigint, header_key, role, tag_id, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (header_key text, role text, tag_id bigint)
    on conflict (school_id, header_key) do update set role = excluded.role, tag_id = excluded.tag_id, chosen_at = excluded.chosen_at
    returning header_key`.execute(db.tx);
  await sql`
    delete from import_columns where school_id = ${db.schoolId} and header_key in (
      select header_key from import_columns where school_id = ${db.schoolId}
      order by chosen_at desc, header_key offset ${MAX_REMEMBERED_COLUMNS})`.execute(db.tx);
}

/** Remembers what the user chose for columns, for the school's next import. The user holds the school's lock. */
export async function rememberColumns(
  db: SchoolDb,
  me: StaffSession,
  columns: ColumnChoices | undefined,
  { config, now }: { config: Config; now: Date },
): Promise<void> {
  if (!columns || columns.length === 0) return;
  const { tags, recall } = toKnowledge(await getListKnowledge(db, me, config));
  const today = dayIn('Europe/London', now);
  const isUsable = (role: ColumnRole) => !role.startsWith('tag:') || tags.some(({ id }) => role === `tag:${id}`);
  const changed = new Map(
    columns
      // A header that is a date of birth or a UPN is not a header.
      .filter(({ header, role }) => headerKey(header) !== '' && isUsable(role) && !looksPersonal(header, today))
      .filter(({ header, role }) => recall(header) !== role)
      .map(({ header, role }) => [headerKey(header), role] as const),
  );
  if (changed.size === 0) return;
  await saveImportColumns(db, changed, config, now);
  await recordChange(db, me, now, {
    action: 'import_columns_chosen',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { columns: changed.size },
  });
}
