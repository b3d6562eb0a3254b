import { recordChange } from '../../audit/audit-log.queries.ts';
import { inSchool, type SchoolDb } from '../../database/school.ts';
import { writeCsv } from '../../spreadsheets/csv.ts';
import { type SheetToWrite, XLSX_TYPE } from '../../spreadsheets/xlsx.ts';
import { runInWorker } from '../../workers/worker-pool.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type StaffSession, withPrepare } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import type { CardsInput } from './cards.document.ts';
import { loginInstruction, loginsSheet, pupilListSheet, templateSheets } from './exports.document.ts';
import { filterOf, listPupils } from '../pupils/pupils.public.ts';
import { findLogins } from './login-sheets.service.ts';

/** More than any school has. */
const MOST_PUPILS = 100_000;

/** What drawing a document may use. */
const LIMITS = { cpuMs: 15_000, heapMb: 160, keepAliveMs: 60_000 };

const asXlsx = async (name: string, sheet: SheetToWrite) =>
  new FileReply(XLSX_TYPE, name, Buffer.from(await runInWorker('writeXlsx', sheet, LIMITS)));

const recordDownload = (db: SchoolDb, me: StaffSession, now: Date, action: string, file: string) =>
  recordChange(db, me, now, { action, subjectKind: 'school', subjectId: db.schoolId, details: { file } });

export const downloadHandlers = defineHandlers({
  getFile: withPrepare({
    // Drawn outside any transaction: it takes a moment.
    prepare: async ({ params, query, me, now, services: { database, config } }) => {
      const [, token = '', kind] = /^([\w-]+)\.(pdf|xlsx)$/.exec(params.token) ?? [];
      const logins = kind && (await inSchool(database, me.schoolId, (db) => findLogins(db, me, token, now)));
      if (!logins) throw new AppError('file_expired');
      if (kind === 'xlsx') return asXlsx('logins.xlsx', loginsSheet(logins));
      const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/London' }).format(now);
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
        Buffer.from(await runInWorker('drawCards', input, LIMITS)),
      );
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordDownload(db, me, now, 'logins_downloaded', prepared.name);
      return prepared;
    },
  }),
  exportPupils: withPrepare({
    prepare: async ({ me, query, now, services: { database } }) => {
      const everybody = { sort: 'name', direction: 'asc', page: 1, perPage: MOST_PUPILS } as const;
      const { pupils } = await inSchool(database, me.schoolId, (db) =>
        listPupils(db, me, { ...filterOf(query, now), ...everybody }),
      );
      const sheet = pupilListSheet(pupils);
      return query.format === 'csv'
        ? new FileReply('text/csv', 'pupils.csv', writeCsv([sheet.headers, ...sheet.rows]))
        : asXlsx('pupils.xlsx', sheet);
    },
    handle: async ({ db, me, prepared, now }) => {
      await recordDownload(db, me, now, 'pupils_exported', prepared.name);
      return prepared;
    },
  }),
  getTemplate: withPrepare({
    prepare: ({ params }) => asXlsx(params.name, templateSheets[params.name]),
    handle: async ({ prepared }) => prepared,
  }),
});
