import { defineHandlers } from '../../../http/pipeline.ts';
import { getPupil } from '../../school/pupils/pupils.public.ts';
import { listRecordViews } from './record-views.queries.ts';

export const recordViewHandlers = defineHandlers({
  listRecordViews: {
    handle: async ({ db, me, params, query: { page, per_page, about } }) => {
      const { id } = await getPupil(db, me, params.readerId);
      const { views, total } = await listRecordViews(db, id, { page, perPage: per_page, about });
      return { views, meta: { total, total_filtered: total, page, per_page } };
    },
  },
});
