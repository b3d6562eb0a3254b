import { lockSchool } from '../../../database/lock-school.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listStaff } from '../../accounts/access/access.public.ts';
import { listArchived } from './archive.queries.ts';
import { archivePupils, restorePupils } from './archive.service.ts';
import { assertCapacity } from '../pupils/pupils.public.ts';

export const archiveHandlers = defineHandlers({
  listArchive: {
    handle: async ({ db }) => {
      const pupils = await listArchived(db);
      const staff = await listStaff(db);
      return {
        readers: pupils.map(({ archived_by: by, ...pupil }) => {
          const person = staff.find(({ id }) => id === by);
          return {
            ...pupil,
            archived_by: person ? { id: person.id, name: `${person.first_name} ${person.last_name}` } : null,
          };
        }),
      };
    },
  },
  archivePupils: {
    handle: async ({ db, me, body, now }) => {
      await archivePupils(db, me, body.reader_ids, now);
      return {};
    },
  },
  deletePupil: {
    handle: async ({ db, me, params, now }) => {
      await archivePupils(db, me, [params.readerId], now);
      return {};
    },
  },
  restorePupils: {
    handle: async ({ db, me, body, now }) => {
      await lockSchool(db);
      await assertCapacity(db, me, body.reader_ids.length, now);
      await restorePupils(db, me, body.reader_ids, now);
      return {};
    },
  },
});
