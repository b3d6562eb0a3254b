import { randomUUID } from 'node:crypto';
import { type PasswordReset } from '#contract/calls/login-cards.ts';
import { hashUuid } from '../../auth/sealing.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { enqueue } from '../../jobs/queue.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { getOwnPupils } from '../pupils/pupils.public.ts';
import { RESET_JOB, type ResetJob } from './password-resets.jobs.ts';
import { findReset, insertReset } from './password-resets.queries.ts';
import { linksTo, resetLinkToken, SHEET_TTL_MS } from './login-sheets.service.ts';

export const pupilPasswordResetHandlers = defineHandlers({
  resetPasswords: {
    handle: async ({ db, me, body, now }) => {
      const pupils = await getOwnPupils(db, me, body.reader_ids);
      const secret = randomUUID();
      await insertReset(
        db,
        { secret, userId: me.userId, pupilIds: body.reader_ids, expiresAt: new Date(now.getTime() + SHEET_TTL_MS) },
        now,
      );
      await enqueue(db, RESET_JOB, { schoolId: db.schoolId, resetId: hashUuid(secret) } satisfies ResetJob);
      await recordChange(db, me, now, {
        action: 'passwords_reset',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { pupils: pupils.map((pupil) => pupil.id) },
      });
      const reset: PasswordReset = {
        id: secret,
        status: 'loading',
        total: pupils.length,
        links: null,
        created_at: now.toISOString(),
      };
      return { reset };
    },
  },
  getPasswordReset: {
    handle: async ({ db, me, params, now, services }) => {
      const row = await findReset(db, hashUuid(params.resetId));
      if (!row || row.user_id !== me.userId) throw new AppError('not_found');
      const links =
        row.status === 'complete' && row.expires_at > now
          ? linksTo(resetLinkToken(params.resetId), services.config.publicUrl)
          : null;
      return {
        reset: {
          id: params.resetId,
          status: row.status,
          total: row.pupil_ids.length,
          links,
          created_at: row.created_at.toISOString(),
        },
      };
    },
  },
});
