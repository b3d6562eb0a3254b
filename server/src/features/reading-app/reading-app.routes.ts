import { readInPlatform } from '../../database/platform.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, withPrepare } from '../../http/pipeline.ts';
import { createSession } from '../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { isPassword } from '../../auth/password-hashing.ts';
import { findPupilLogin, listAssignedBooks } from './reading-app.queries.ts';
import { ingestSessions } from './reading-app.service.ts';

export const readingAppHandlers = defineHandlers({
  logInPupil: withPrepare({
    prepare: async ({ body, services }) => {
      const pupil = await readInPlatform(services.database, (db) => findPupilLogin(db, body.username));
      const matches = await isPassword(body.password, pupil?.password_hash, services.config.hashCost);
      if (!matches || !pupil) throw new AppError('pupil_login_failed');
      return pupil;
    },
    handle: async ({ db, prepared: { id, name, username, school_id: schoolId, recording_enabled }, now }) => {
      const token = newToken();
      await createSession(db, { tokenHash: hashToken(token), pupilId: id, schoolId }, now);
      return { reader: { id, name, username }, recording_enabled, meta: { token } };
    },
  }),
  listPupilBooks: { handle: async ({ db, me }) => ({ books: await listAssignedBooks(db, me.pupilId) }) },
  storeSessions: { handle: ({ db, me, body, now }) => ingestSessions(db, me.pupilId, body.sessions, now) },
});
