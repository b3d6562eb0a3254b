import type { FormerMember } from '#contract/calls/privacy.ts';
import { dayIn } from '../../../clock.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { type FormerRow, listFormerMembers } from '../erasure/erasure.public.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import {
  describeHoldings,
  describeProcessors,
  shortenableRule,
  TABLES,
  titleOf,
  toNights,
} from '../registry/registry.public.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { setImportDigests } from '../data-and-privacy/data-and-privacy.queries.ts';
import { listPeriodsOfSchool, listRemovalsOfSchool, listRuns, setPeriod } from './retention.queries.ts';
import { getLastNight } from './retention.service.ts';

const toFormerMember = ({ id, first_name, last_name, email, until }: FormerRow): FormerMember => ({
  id,
  first_name,
  last_name,
  email,
  left_on: dayIn('Europe/London', until),
});

/** Data and privacy: what is stored, for how long, and what each night removed. */
export const retentionHandlers = defineHandlers({
  getDataAndPrivacy: {
    handle: async ({ db, services }) => {
      const chosen = new Map((await listPeriodsOfSchool(db)).map(({ table_name, days }) => [table_name, days]));
      const lastRun = await getLastNight(db);
      const removals = lastRun === null ? [] : await listRemovalsOfSchool(db, lastRun);
      const former = await listFormerMembers(db);
      return {
        holdings: describeHoldings(
          chosen,
          new Map(removals.map(({ table_name, removed }) => [table_name, removed])),
          services.config.backupDays,
        ),
        last_run: lastRun,
        processors: describeProcessors(services.config),
        former_staff: former.map(toFormerMember),
        keeps_import_digests: (await getSchoolRow(db)).keeps_import_digests,
      };
    },
  },
  setImportDigests: {
    handle: async ({ db, me, body: { keep }, now }) => {
      // An import that runs at the same time has the lock, or waits for it.
      await lockSchool(db);
      if ((await getSchoolRow(db)).keeps_import_digests === keep) return {};
      await setImportDigests(db, keep);
      await recordChange(db, me, now, {
        action: keep ? 'import_digests_turned_on' : 'import_digests_turned_off',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: {},
      });
      return {};
    },
  },
  setRetentionPeriod: {
    handle: async ({ db, me, body: { table, days }, now }) => {
      const rule = table in TABLES ? shortenableRule(table as TableName) : undefined;
      if (!rule) throw new AppError('validation', { fields: { table: ['Choose data whose period can be changed.'] } });
      if (days !== null && !rule.choices?.includes(days))
        throw new AppError('validation', { fields: { days: ['Choose one of the periods.'] } });
      await setPeriod(db, table as TableName, days);
      await recordChange(db, me, now, {
        action: 'retention_period_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { data: titleOf(table as TableName), days },
      });
      return {};
    },
  },
  listRetentionRuns: {
    handle: async ({ db, query: { page, per_page } }) => {
      const { rows, total } = await listRuns(db, { limit: per_page, offset: (page - 1) * per_page });
      return { nights: toNights(rows), meta: { total, total_filtered: total, page, per_page } };
    },
  },
});
