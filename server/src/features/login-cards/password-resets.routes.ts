import { randomUUID } from 'node:crypto';
import { type PasswordReset } from '#contract/calls/login-cards.ts';
import { hashUuid } from '../../auth/sealing.ts';
import type { Config } from '../../config.ts';
import { readInSchool, type SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type StaffSession, withPrepare } from '../../http/pipeline.ts';
import { enqueue } from '../../jobs/queue.ts';
import { makeQrCode } from '../../pdf/qr-code.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { getOwnPupils } from '../pupils/pupils.public.ts';
import { generateCredentials } from './credentials.service.ts';
import { loginUrl, loginInstruction } from './exports.document.ts';
import { RESET_JOB, type ResetJob } from './password-resets.jobs.ts';
import { findReset, insertReset, listForCards } from './password-resets.queries.ts';
import { renewLogins } from './password-resets.service.ts';
import { findLogins, linksTo, resetLinkToken, SHEET_TTL_MS } from './login-sheets.service.ts';

export const pupilPasswordResetHandlers = defineHandlers({
  resetPasswords: {
    handle: async ({ db, me, body, now }) => {
      const pupils = await getOwnPupils(db, me, body.reader_ids);
      const secret = randomUUID();
      await insertReset(
        db,
        { secret, userId: me.userId, pupilIds: body.reader_ids, expiresAt: expiryOf(now), status: 'loading' },
        now,
      );
      await enqueue(db, RESET_JOB, { schoolId: db.schoolId, resetId: hashUuid(secret) } satisfies ResetJob);
      await recordReset(db, me, now, pupils);
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
  makeLoginCards: withPrepare({
    // Hashed before the transaction. Pupils of infant classes get short words.
    prepare: async ({ me, body, services: { database, config } }) => {
      const classes = await readInSchool(database, me.schoolId, async (db) => {
        const pupils = await getOwnPupils(db, me, body.reader_ids);
        return pupils.map(({ group: schoolClass }) => schoolClass?.name ?? null);
      });
      return generateCredentials(classes, config.hashCost);
    },
    handle: async ({ db, me, body, prepared: made, now, services: { config } }) => {
      const own = await getOwnPupils(db, me, body.reader_ids);
      const secret = randomUUID();
      const pupils = await listForCards(db, body.reader_ids);
      await renewLogins(db, { userId: me.userId, secret, pupils, made, hashCost: config.hashCost }, now);
      await insertReset(
        db,
        { secret, userId: me.userId, pupilIds: body.reader_ids, expiresAt: expiryOf(now), status: 'complete' },
        now,
      );
      await recordReset(db, me, now, own);
      const reset: PasswordReset = {
        id: secret,
        status: 'complete',
        total: pupils.length,
        links: linksTo(resetLinkToken(secret), config.publicUrl),
        created_at: now.toISOString(),
      };
      return { reset };
    },
  }),
  listNewLogins: {
    writes: true,
    handle: async ({ db, me, params, now, services: { config } }) => {
      return await showLogins(db, me, resetLinkToken(params.resetId), now, config);
    },
  },
  showCreatedLogins: {
    handle: async ({ db, me, body, now, services: { config } }) => showLogins(db, me, body.token, now, config),
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

/** The logins behind a link, by name; the audit log records that they were shown. */
async function showLogins(db: SchoolDb, me: StaffSession, token: string, now: Date, config: Config) {
  const logins = await findLogins(db, me, token, now);
  if (!logins) throw new AppError('file_expired');
  await recordChange(db, me, now, { action: 'logins_shown', subjectKind: 'school', subjectId: db.schoolId });
  return {
    logins: logins
      .toSorted((a, b) => compare(a.name, b.name))
      .map((login) => ({ ...login, code: codeOf(login.username, config) })),
    instruction: loginInstruction(config.readingApp),
  };
}

const { compare } = new Intl.Collator('en-GB', { numeric: true });

const expiryOf = (now: Date) => new Date(now.getTime() + SHEET_TTL_MS);

const recordReset = (db: SchoolDb, me: StaffSession, now: Date, pupils: readonly { id: number }[]) =>
  recordChange(db, me, now, {
    action: 'passwords_reset',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: pupils.map((pupil) => pupil.id) },
  });

const codeOf = (username: string, { readingApp: { url } }: Pick<Config, 'readingApp'>) =>
  url === undefined ? null : makeQrCode(loginUrl(url, username));
