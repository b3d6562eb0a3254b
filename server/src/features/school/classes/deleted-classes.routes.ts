import { recordChange } from '../../../audit/audit-log.queries.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listStaff } from '../../accounts/access/access.public.ts';
import { findClass } from './classes.queries.ts';
import {
  removeDeletedClass,
  listDeletedClasses,
  lockDeletedClass,
  recreateClass,
  returnBooks,
  returnLinks,
  returnPupils,
  returnTeachers,
} from './deleted-classes.queries.ts';
import { getClass } from './classes.access.ts';

const NOTHING_MISSING = { pupils_moved: 0, pupils_archived: 0, teachers: 0, books: 0 };

export const deletedClassHandlers = defineHandlers({
  listDeletedClasses: {
    handle: async ({ db, me, now }) => {
      const classes = await listDeletedClasses(db, me, now);
      const staff = await listStaff(db);
      return {
        groups: classes.map(({ deleted_by: by, ...deleted }) => {
          const person = staff.find(({ id }) => id === by);
          return {
            ...deleted,
            deleted_by: person ? { id: person.id, name: `${person.first_name} ${person.last_name}` } : null,
          };
        }),
      };
    },
  },
  restoreClass: {
    handle: async ({ db, me, params: { groupId: classId }, now }) => {
      // Restoring pupils locks the school too: it locks pupils and their deleted class in the other order.
      await lockSchool(db);
      const deleted = await lockDeletedClass(db, me, classId, now);
      if (!deleted) {
        const restored = await findClass(db, me, classId);
        if (restored) return { group: restored, former_name: null, missing: NOTHING_MISSING };
        throw new AppError('class_not_found', {
          text: 'This class is no longer in the archive. Reload the list.',
        });
      }
      const name = await recreateClass(db, deleted);
      const teachers = await returnTeachers(db, classId);
      const pupils = await returnPupils(db, classId);
      const books = await returnBooks(db, classId, deleted.record.books);
      await returnLinks(db, classId, deleted.record.links);
      await removeDeletedClass(db, classId);
      await recordChange(db, me, now, {
        action: 'class_restored',
        subjectKind: 'class',
        subjectId: classId,
        details: { name, pupils: pupils.returned, ...(name !== deleted.name && { former: deleted.name }) },
      });
      return {
        group: await getClass(db, me, classId),
        former_name: name === deleted.name ? null : deleted.name,
        missing: { pupils_moved: pupils.moved, pupils_archived: pupils.archived, teachers, books },
      };
    },
  },
});
