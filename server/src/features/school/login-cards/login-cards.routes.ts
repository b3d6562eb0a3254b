import { randomUUID } from 'node:crypto';
import { type PasswordReset } from '#contract/calls/login-cards.ts';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { hashUuid } from '../../../auth/sealing.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { readInSchool, type SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { FileReply } from '../../../file-reply.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { makeQrCode } from '../../../pdf/qr-code.ts';
import { xlsxFile } from '../../../spreadsheets/sheet-file.ts';
import { FILE_LIMITS, runInWorker } from '../../../workers/worker-pool.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { getPupilsForLogins } from '../pupils/pupils.public.ts';
import { generateCredentials } from './credentials.service.ts';
import type { CardsInput } from './login-cards.document.ts';
import { loginInstruction, loginsSheet, loginUrl, templateSheets } from './login-sheets.document.ts';
import { RESET_JOB, type ResetJob } from './password-resets.jobs.ts';
import { findReset, findRequester, insertReset, listForCards } from './password-resets.queries.ts';
import { renewLogins } from './password-resets.service.ts';
import { findLogins, linksTo, resetLinkToken, SHEET_TTL_MS } from './login-sheets.service.ts';

export const loginCardHandlers = defineHandlers({
  getFile: withPrepare({
    writes: true,
    // Rendered outside any transaction, because it takes a moment.
    prepare: async ({ params, query, me, now, services: { database, config } }) => {
      const [, token = '', kind] = /^([\w-]+)\.(pdf|xlsx)$/.exec(params.token) ?? [];
      const logins = kind && (await readInSchool(database, me.schoolId, (db) => findLogins(db, me, token, now)));
      if (!logins) throw new AppError('file_expired');
      if (kind === 'xlsx') return xlsxFile('logins', loginsSheet(logins));
      const date = formatLongDay(dayIn('Europe/London', now));
      const input: CardsInput = {
        logins,
        product: config.productName,
        instruction: loginInstruction(config.readingApp),
        date,
        size: query.size,
        appUrl: config.readingApp.url,
      };
      return new FileReply(
        'application/pdf',
        query.size === 'peg' ? 'peg-cards.pdf' : 'login-cards.pdf',
        Buffer.from(await runInWorker('renderLoginCards', input, FILE_LIMITS)),
      );
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordChange(db, me, now, {
        action: 'logins_downloaded',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { file: prepared.name },
      });
      return prepared;
    },
  }),
  getTemplate: {
    answer: ({ params }) => xlsxFile(params.name.replace('.xlsx', ''), templateSheets[params.name]),
  },
  resetPasswords: withPrepare({
    // Hashed before the transaction. Pupils of infant classes get short words. A job makes those of a larger reset.
    prepare: async ({ body, me, read, services: { config } }) => {
      if (body.reader_ids.length > CARDS_AT_ONCE) return undefined;
      const pupils = await read((db) => getPupilsForLogins(db, me, body.reader_ids));
      return generateCredentials(
        pupils.map(({ group: schoolClass }) => schoolClass?.name ?? null),
        config.hashCost,
      );
    },
    handle: async ({ db, me, body, prepared: credentials, now, services: { config } }) => {
      const pupils = await getPupilsForLogins(db, me, body.reader_ids);
      const secret = randomUUID();
      const status = credentials ? 'complete' : 'loading';
      await insertReset(db, {
        id: hashUuid(secret),
        user_id: me.userId,
        pupil_ids: body.reader_ids,
        status,
        // A job that makes the logins needs the secret until they are ready.
        pending_secret: credentials ? null : secret,
        created_at: now,
        expires_at: new Date(now.getTime() + SHEET_TTL_MS),
      });
      if (credentials) {
        const cards = await listForCards(db, body.reader_ids);
        const to = await findRequester(db, me.userId);
        await renewLogins(db, { userId: me.userId, to, secret, pupils: cards, credentials }, config, now);
      } else await enqueue(db, RESET_JOB, { schoolId: db.schoolId, resetId: hashUuid(secret) } satisfies ResetJob);
      await recordChange(db, me, now, {
        action: 'passwords_reset',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { pupils: pupils.map(({ id }) => id) },
      });
      const reset: PasswordReset = {
        id: secret,
        status,
        total: pupils.length,
        links: credentials ? linksTo(resetLinkToken(secret), config.publicUrl) : null,
        created_at: now.toISOString(),
      };
      return { reset };
    },
  }),
  listNewLogins: {
    writes: true,
    handle: ({ db, me, params, now, services: { config } }) =>
      showLogins(db, me, resetLinkToken(params.resetId), now, config),
  },
  showCreatedLogins: {
    handle: ({ db, me, body, now, services: { config } }) => showLogins(db, me, body.token, now, config),
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

const codeOf = (username: string, { readingApp: { url } }: Pick<Config, 'readingApp'>) =>
  url === undefined ? null : makeQrCode(loginUrl(url, username));
