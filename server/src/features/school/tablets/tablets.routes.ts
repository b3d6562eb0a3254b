import { defineHandlers } from '../../../http/pipeline.ts';
import { listTablets } from './tablets.queries.ts';

export const tabletHandlers = defineHandlers({
  listTablets: {
    handle: async ({ db, me }) => {
      const rows = await listTablets(db, me);
      return {
        tablets: rows.flatMap(({ device_id, last_seen_at, clock_difference, wrong_since, class_id, class_name }) =>
          wrong_since
            ? {
                id: device_id,
                last_seen_at: last_seen_at.toISOString(),
                clock_difference,
                wrong_since: wrong_since.toISOString(),
                group: class_id === null ? null : { id: class_id, name: class_name ?? '' },
              }
            : [],
        ),
        meta: { tablets_count: rows.length },
      };
    },
  },
});
