import type { Erasure, FormerMember } from '#contract/calls/privacy.ts';
import { dayIn } from '../../../clock.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { type FormerRow, listFormerMembers } from '../erasure/former-staff.queries.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { readInSchool } from '../../../database/school.ts';
import { shortenableRule, type TableName, TABLES } from '../registry/table-registry.ts';
import { AppError } from '../../../http/errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { FileReply } from '../../../http/replies.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { renderReceipt } from '../erasure/erasure-receipt.service.ts';
import { eraseFormerMember } from '../erasure/erasure.service.ts';
import { listErasures, type StoredErasure } from '../erasure/erasure-receipts.queries.ts';
import { setImportDigests } from './import-digests.queries.ts';
import { describeProcessors } from '../registry/processors.service.ts';
import { describeHoldings, titleOf, toNights } from '../registry/holdings.service.ts';
import { listPeriodsOfSchool, listRemovalsOfSchool, listRuns, setPeriod } from './retention.queries.ts';
import { getLastNight } from './retention.service.ts';

const sumOf = (counts: StoredErasure['counts']) => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

const toFormerMember = ({ id, first_name, last_name, email, until }: FormerRow): FormerMember => ({
  id,
  first_name,
  last_name,
  email,
  left_on: dayIn('Europe/London', until),
});

const toErasure = ({ id, kind, erasedAt, isAutomatic, counts, backupsExpireOn }: StoredErasure): Erasure => ({
  id,
  kind,
  erased_at: erasedAt.toISOString(),
  is_automatic: isAutomatic,
  rows: sumOf(counts),
  backups_expire_on: backupsExpireOn,
});

/** Data and privacy: what is stored, periods, erasures and their receipts. */
export const privacyHandlers = defineHandlers({
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
  listErasures: {
    handle: async ({ db, query: { page, per_page } }) => {
      const { erasures, total } = await listErasures(db, { limit: per_page, offset: (page - 1) * per_page });
      return { erasures: erasures.map(toErasure), meta: { total, total_filtered: total, page, per_page } };
    },
  },
  getErasureReceipt: withPrepare({
    prepare: async ({ me, params, services: { database, config } }) => {
      const { erasure, school } = await readInSchool(database, me.schoolId, async (db) => {
        const { erasures } = await listErasures(db, { limit: 1, id: params.erasureId });
        return { erasure: erasures[0], school: (await getSchoolRow(db)).name };
      });
      if (!erasure) throw new AppError('not_found');
      const heading = `${school} · number ${erasure.id}`;
      const receipt = await renderReceipt(config.productName, erasure, heading);
      return new FileReply('application/pdf', `erasure-${erasure.id}.pdf`, receipt);
    },
    handle: async ({ prepared }) => prepared,
  }),
  eraseFormerMember: withPrepare({
    prepare: ({ me, params, now, services }) => eraseFormerMember(services, me.schoolId, me, params.userId, now),
    handle: async ({ prepared }) => ({ erasure_id: prepared }),
  }),
  listRetentionRuns: {
    handle: async ({ db, query: { page, per_page } }) => {
      const { rows, total } = await listRuns(db, { limit: per_page, offset: (page - 1) * per_page });
      return { nights: toNights(rows), meta: { total, total_filtered: total, page, per_page } };
    },
  },
});
