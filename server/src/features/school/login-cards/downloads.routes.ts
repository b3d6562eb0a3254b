import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import { readInSchool } from '../../../database/school.ts';
import { xlsxFile } from '../../../spreadsheets/sheet-file.ts';
import { FILE_LIMITS, runInWorker } from '../../../workers/worker-pool.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import type { CardsInput } from './login-cards.document.ts';
import { loginInstruction, loginsSheet, templateSheets } from './login-sheets.document.ts';
import { findLogins } from './login-sheets.service.ts';

export const downloadHandlers = defineHandlers({
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
});
