import type { Erasure } from '#contract/calls/privacy.ts';
import { readInSchool } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { FileReply } from '../../../file-reply.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { renderReceipt } from './erasure-receipt.service.ts';
import { listErasures, type StoredErasure } from './erasure-receipts.queries.ts';
import { eraseFormerMember, erasePupil } from './erasure.service.ts';

const sumOf = (counts: StoredErasure['counts']) => Object.values(counts).reduce((sum, rows) => sum + rows, 0);

const toErasure = ({ id, kind, erasedAt, isAutomatic, counts, backupsExpireOn }: StoredErasure): Erasure => ({
  id,
  kind,
  erased_at: erasedAt.toISOString(),
  is_automatic: isAutomatic,
  rows: sumOf(counts),
  backups_expire_on: backupsExpireOn,
});

/** Erasing people, and the receipts of erasures. */
export const erasureHandlers = defineHandlers({
  erasePupil: {
    handle: async ({ db, me, params, now, services: { config } }) => ({
      erasure_id: await erasePupil(db, config, me, params.readerId, now),
    }),
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
});
