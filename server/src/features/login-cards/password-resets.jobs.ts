import { inSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { sendMail } from '../../mail/mail.ts';
import { generateCredentials } from './credentials.service.ts';
import { newLoginsMail } from './password-resets.mail.ts';
import { findReset, findStaffAddress, finishReset, listForCards, lockReset } from './password-resets.queries.ts';
import { renewLogins } from './password-resets.service.ts';

export const RESET_JOB = 'password-reset';

export interface ResetJob {
  schoolId: number;
  /** Of the row: the hash of the id that its maker holds. */
  resetId: string;
}

/** Makes the new passwords of a reset, ends the old ones, and tells who asked. */
export const pupilPasswordResetJob = ({ database, clock, config }: Services): Job<ResetJob> => ({
  name: RESET_JOB,
  run: async ({ schoolId, resetId }) => {
    const asked = await inSchool(database, schoolId, async (db) => {
      const reset = await findReset(db, resetId);
      return reset?.status === 'loading' ? listForCards(db, reset.pupil_ids) : undefined;
    });
    if (!asked) return;
    // Hashed before the transaction that uses them.
    const made = await generateCredentials(
      asked.map((pupil) => pupil.class),
      config.hashCost,
    );
    await inSchool(database, schoolId, async (db) => {
      const reset = await lockReset(db, resetId);
      if (reset?.status !== 'loading' || reset.pending_secret === null) return;
      const now = clock.now();
      const pupils = await listForCards(db, reset.pupil_ids);
      const to = await findStaffAddress(db, reset.user_id);
      // Everybody deleted, or the person who asked has left and nobody could fetch the cards.
      if (pupils.length === 0 || !to) return finishReset(db, resetId, 'none');
      await renewLogins(
        db,
        { userId: reset.user_id, secret: reset.pending_secret, pupils, made, hashCost: config.hashCost },
        now,
      );
      await finishReset(db, resetId, 'complete');
      await sendMail(
        db,
        newLoginsMail({
          to,
          product: config.productName,
          publicUrl: config.publicUrl,
          resetId: reset.pending_secret,
          pupils: pupils.length,
        }),
        now,
      );
    });
  },
});
