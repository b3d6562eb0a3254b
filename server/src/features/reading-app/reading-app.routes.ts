import { listPupilBooks, logInPupil, storeSessions } from '#contract/calls/reading-app.ts';
import { askPlatform } from '../../database/platform.ts';
import { AppError } from '../../http/errors.ts';
import { route } from '../../http/pipeline.ts';
import { createSession } from '../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { isPassword } from '../access/access.public.ts';
import { findPupilLogin, listAssignedBooks } from './reading-app.queries.ts';
import { takeSessions } from './reading-app.service.ts';

export const readingAppRoutes = [
  route(logInPupil, {
    prepare: async ({ body, services }) => {
      const pupil = await askPlatform(services.database, (db) => findPupilLogin(db, body.username));
      if (!(await isPassword(body.password, pupil?.password_hash)) || !pupil) throw new AppError('pupil_login_failed');
      return pupil;
    },
    handle: async ({ db, prepared: { id, name, username, school_id: schoolId }, now }) => {
      const token = newToken();
      await createSession(db, { tokenHash: hashToken(token), pupilId: id, schoolId }, now);
      return { reader: { id, name, username }, meta: { token } };
    },
  }),
  route(listPupilBooks, { handle: async ({ db, me }) => ({ books: await listAssignedBooks(db, me.pupilId) }) }),
  route(storeSessions, { handle: ({ db, me, body, now }) => takeSessions(db, me.pupilId, body.sessions, now) }),
];
