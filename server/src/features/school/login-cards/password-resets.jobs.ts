import { inSchool } from '../../../database/school.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { generateCredentials } from './credentials.service.ts';
import { findReset, findRequester, finishReset, listForCards, lockReset } from './password-resets.queries.ts';
import { renewLogins } from './password-resets.service.ts';

export const RESET_JOB = 'password-reset';

export interface ResetJob {
  schoolId: number;
  /** The ID of the row: the hash of the ID that its creator has. */
  resetId: string;
}

/** Creates the new passwords of a reset, replaces the old ones, and notifies the user who requested them. */
export const pupilPasswordResetJob = ({ database, clock, config }: Services): Job<ResetJob> => ({
  name: RESET_JOB,
  concurrency: 2,
  run: async ({ schoolId, resetId }) => {
    const pupilsToReset = await inSchool(database, schoolId, async (db) => {
      const reset = await findReset(db, resetId);
      return reset?.status === 'loading' ? listForCards(db, reset.pupil_ids) : undefined;
    });
    if (!pupilsToReset) return;
    // Hashed before the transaction, because it takes long.
    const credentials = await generateCredentials(
      pupilsToReset.map((pupil) => pupil.class),
      config.hashCost,
    );
    await inSchool(database, schoolId, async (db) => {
      const reset = await lockReset(db, resetId);
      if (reset?.status !== 'loading' || reset.pending_secret === null) return;
      const now = clock.now();
      const pupils = await listForCards(db, reset.pupil_ids);
      const to = await findRequester(db, reset.user_id);
      // All pupils were deleted, or the user who requested the reset has left and no one could download the cards.
      if (pupils.length === 0 || !to) return finishReset(db, resetId, 'none');
      await renewLogins(
        db,
        { userId: reset.user_id, to, secret: reset.pending_secret, pupils, credentials },
        config,
        now,
      );
      await finishReset(db, resetId, 'complete');
    });
  },
});
