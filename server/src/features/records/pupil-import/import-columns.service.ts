import type { BodyOf } from '#contract/call.ts';
import type { ColumnRole, pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { headerKey } from './column-detection.service.ts';
import { getColumnKnowledge, saveImportColumns } from './import-columns.queries.ts';
import { looksPersonal } from './match-digests.service.ts';

export type ColumnChoices = NonNullable<BodyOf<typeof pupilImportCalls.createPupils>['columns']>;

/** Remembers what the user chose for columns, for the school's next import. The user holds the school's lock. */
export async function rememberColumns(
  db: SchoolDb,
  me: StaffSession,
  columns: ColumnChoices | undefined,
  { config, now }: { config: Config; now: Date },
): Promise<void> {
  if (!columns || columns.length === 0) return;
  const { tags, recall } = await getColumnKnowledge(db, me, config);
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
