import { randomUUID } from 'node:crypto';
import { getPasswordReset, type PasswordReset, resetPasswords } from '#contract/calls/login-cards.ts';
import { AppError } from '../../http/errors.ts';
import { route } from '../../http/pipeline.ts';
import { enqueue } from '../../jobs/queue.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { getOwnPupils } from '../pupils/pupils.public.ts';
import { RESET_JOB, type ResetJob } from './password-resets.jobs.ts';
import { findReset, insertReset } from './password-resets.queries.ts';
import { linksTo, SHEET_LASTS } from './login-sheets.service.ts';

export const pupilPasswordResetRoutes = [
  route(resetPasswords, {
    handle: async ({ db, me, body, now }) => {
      const pupils = await getOwnPupils(db, me, body.reader_ids);
      const id = randomUUID();
      await insertReset(
        db,
        { id, userId: me.userId, pupilIds: body.reader_ids, expiresAt: new Date(now.getTime() + SHEET_LASTS) },
        now,
      );
      await enqueue(db, RESET_JOB, { schoolId: db.schoolId, resetId: id } satisfies ResetJob);
      const named = pupils.map((pupil) => ({ id: pupil.id, name: pupil.name }));
      await recordChange(db, me, now, {
        action: 'passwords_reset',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { count: named.length, pupils: named },
      });
      const reset: PasswordReset = {
        id,
        status: 'loading',
        total: pupils.length,
        links: null,
        created_at: now.toISOString(),
      };
      return { reset };
    },
  }),
  route(getPasswordReset, {
    handle: async ({ db, me, params, now, services }) => {
      const row = await findReset(db, params.resetId);
      if (!row || row.user_id !== me.userId) throw new AppError('not_found');
      const links =
        row.sheet_token && row.expires_at > now ? linksTo(row.sheet_token, services.config.publicUrl) : null;
      return {
        reset: {
          id: row.id,
          status: row.status,
          total: row.pupil_ids.length,
          links,
          created_at: row.created_at.toISOString(),
        },
      };
    },
  }),
];
