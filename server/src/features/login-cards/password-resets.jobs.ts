import { inSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { sendMail } from '../../mail/mail.ts';
import { assignCredentials, generateCredentials, type Credential } from './credentials.service.ts';
import { removePupilSessions } from '../pupils/pupils.public.ts';
import { newLoginsMail } from './password-resets.mail.ts';
import {
  updatePasswords,
  findReset,
  findStaffAddress,
  finishReset,
  listForCards,
  lockReset,
} from './password-resets.queries.ts';
import { resetLinkToken, storeLoginSheet } from './login-sheets.service.ts';

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
      const credentials = await assignCredentials(
        made,
        pupils.map((pupil) => pupil.class),
        config.hashCost,
      );
      const renewed = pupils.map((pupil, index) => ({ ...pupil, ...(credentials[index] as Credential) }));
      await updatePasswords(
        db,
        renewed.map(({ id, hash }) => ({ id, hash })),
      );
      await removePupilSessions(
        db,
        renewed.map(({ id }) => id),
      );
      await storeLoginSheet(
        db,
        reset.user_id,
        renewed.map(({ name, username, password, class: className }) => ({
          name,
          class: className,
          username,
          password,
        })),
        now,
        resetLinkToken(reset.pending_secret),
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
