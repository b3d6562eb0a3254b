import { assertSchoolNotClosed } from '../../billing/subscriptions/subscriptions.public.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { insertLoginEvent } from '../../../auth/login-events.queries.ts';
import { createSession } from '../../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../../auth/tokens.ts';
import { trustNetwork } from '../../../auth/trusted-networks.queries.ts';
import { isPassword } from '../../../auth/password-hashing.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { normalizePupilPassword } from '../../school/login-cards/login-cards.public.ts';
import { getPupil } from '../../school/pupils/pupils.public.ts';
import { findPupilLogin, listAssignedBooks } from './reading-app.queries.ts';
import { ingestSessions, parseSessions } from './session-intake.service.ts';

const CLOSED_TO_PUPILS = 'Your school has closed its account. Ask your teacher.';

export const readingAppHandlers = defineHandlers({
  logInPupil: withPrepare({
    prepare: async ({ body, services, read }) => {
      const pupil = await read((db) => findPupilLogin(db, body.username));
      // Passwords are generated without hyphens; those stored before hyphens were ignored match only as typed.
      const forms = new Set([normalizePupilPassword(body.password), body.password]);
      let matches = false;
      for (const form of forms) matches ||= await isPassword(form, pupil?.password_hash, services.config.hashCost);
      if (!matches || !pupil) {
        countEvent('login_rejected');
        throw new AppError('pupil_login_failed');
      }
      // Only a caller with the password learns that the pupil is archived.
      if (pupil.archived_at) throw new AppError('pupil_archived');
      if (pupil.is_school_closed) throw new AppError('school_closed', { text: CLOSED_TO_PUPILS });
      return pupil;
    },
    handle: async ({
      db,
      prepared: { id, name, username, school_id: schoolId, recording_enabled },
      now,
      client,
      services,
    }) => {
      const token = newToken();
      await Promise.all([
        createSession(db, { tokenHash: hashToken(token), pupilId: id, schoolId }, now),
        insertLoginEvent(db, { schoolId, person: { pupilId: id }, method: 'pupil_password' }, now),
        trustNetwork(db, services.config, schoolId, client.address, now),
      ]);
      countEvent('login');
      return { reader: { id, name, username }, recording_enabled, meta: { token } };
    },
  }),
  listPupilBooks: {
    handle: async ({ db, me }) => {
      await assertSchoolNotClosed(db);
      return { books: await listAssignedBooks(db, me.pupilId) };
    },
  },
  storeSessions: withPrepare({
    prepare: ({ body }) => parseSessions(body.sessions),
    handle: async ({ db, me, body, prepared, now }) => {
      await assertSchoolNotClosed(db);
      return ingestSessions(db, me.pupilId, prepared, now, 'unauthorised', body);
    },
  }),
  storePupilSessions: withPrepare({
    prepare: ({ body }) => parseSessions(body.sessions),
    handle: async ({ db, me, params, body, prepared, now }) => {
      const pupil = await getPupil(db, me, params.readerId);
      return ingestSessions(db, pupil.id, prepared, now, 'pupil_not_found', body);
    },
  }),
});
