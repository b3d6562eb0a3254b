import { dayIn } from '../../../clock.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listClasses, toClass } from '../classes/classes.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import { findProgram, nameClasses } from './programs.queries.ts';
import {
  changeProgram,
  confirmProgram,
  describeRecentPrograms,
  makeProgram,
  revokeProgram,
  showClasses,
} from './programs.service.ts';

export const programHandlers = defineHandlers({
  listPrograms: { handle: async ({ db, now }) => ({ programs: await describeRecentPrograms(db, now) }) },
  makeProgram: { handle: ({ db, me, body, now }) => makeProgram(db, me, body, now) },
  changeProgram: {
    handle: async ({ db, me, params, body, now }) => ({
      program: await changeProgram(db, me, params.programId, body, now),
    }),
  },
  confirmProgram: {
    handle: async ({ db, me, params, now }) => ({ program: await confirmProgram(db, me, params.programId, now) }),
  },
  revokeProgram: {
    handle: async ({ db, me, params, now }) => {
      await revokeProgram(db, me, params.programId, now);
      return {};
    },
  },
  getProgram: {
    handle: async ({ db, me }) => {
      const row = me.program && (await findProgram(db, me.program.id));
      if (!row) throw new AppError('unauthorised');
      const { name } = await getSchoolRow(db);
      return {
        program: {
          name: row.name,
          scopes: row.scopes,
          groups: showClasses(row, await nameClasses(db, row.class_ids ?? [])),
          expires_at: row.expires_at.toISOString(),
          enterprise: { id: db.schoolId, name },
        },
      };
    },
  },
  listClasses: {
    handle: async ({ db, me, now }) => {
      const today = dayIn('Europe/London', now);
      return { groups: (await listClasses(db, me)).map((schoolClass) => toClass(schoolClass, today)) };
    },
  },
});
