import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { listFormerMembers } from '../erasure/erasure.public.ts';
import { describeHoldings, describeProcessors } from '../registry/registry.public.ts';
import { getLastNight, listPeriodsOfSchool, listRemovalsOfSchool } from '../retention/retention.public.ts';
import { setImportDigests } from './data-and-privacy.queries.ts';

/** The screen *Data and privacy*: what is stored and for how long, what the last night removed, and former staff. */
export const dataAndPrivacyHandlers = defineHandlers({
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
        former_staff: former.map(({ id, first_name, last_name, email, until }) => ({
          id,
          first_name,
          last_name,
          email,
          left_on: dayIn('Europe/London', until),
        })),
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
});
