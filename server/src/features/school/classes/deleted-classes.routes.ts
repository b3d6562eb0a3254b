import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listStaff } from '../../accounts/access/access.public.ts';
import { findClass, toClass } from './classes.queries.ts';
import { listDeletedClasses } from './deleted-classes.queries.ts';
import { restoreDeletedClass } from './deleted-classes.service.ts';
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
      await lockSchool(db);
      const today = dayIn('Europe/London', now);
      const restored = await restoreDeletedClass(db, me, classId, now);
      if (!restored) {
        const present = await findClass(db, me, classId);
        if (present) return { group: toClass(present, today), former_name: null, missing: NOTHING_MISSING };
        throw new AppError('class_not_found', {
          text: 'This class is no longer in the archive. Reload the list.',
        });
      }
      const { name, formerName, teachers, pupils, books } = restored;
      await recordChange(db, me, now, {
        action: 'class_restored',
        subjectKind: 'class',
        subjectId: classId,
        details: { name, pupils: pupils.returned, ...(name !== formerName && { former: formerName }) },
      });
      return {
        group: toClass(await getClass(db, me, classId), today),
        former_name: name === formerName ? null : formerName,
        missing: { pupils_moved: pupils.moved, pupils_archived: pupils.archived, teachers, books },
      };
    },
  },
});
