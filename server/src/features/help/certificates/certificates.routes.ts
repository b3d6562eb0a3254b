import type { CertificateId } from '#contract/certificates.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { inSchool } from '../../../database/school.ts';
import { FileReply } from '../../../file-reply.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { runInWorker } from '../../../workers/worker-pool.ts';
import { RENDERING_LIMITS } from '../help/help.public.ts';
import { blankCertificate, listAwards } from './certificates.service.ts';

const PDF = 'application/pdf';

export const certificateHandlers = defineHandlers({
  getCertificate: {
    answer: async ({ params, services: { config } }) => {
      const id = params.certificate.slice(0, -'.pdf'.length) as CertificateId;
      return new FileReply(PDF, params.certificate, await blankCertificate(id, config.productName));
    },
  },
  renderCertificates: {
    writes: true,
    // Rendered outside any transaction: a page per pupil takes a moment.
    answer: async ({ me, query, now, shows, services: { config, database } }) => {
      const awards = await inSchool(database, me.schoolId, async (db) => {
        await recordChange(db, me, now, {
          action: 'certificates_downloaded',
          subjectKind: 'school',
          subjectId: db.schoolId,
        });
        return listAwards(db, me, query, now);
      });
      shows(awards.flatMap(({ pupilId }) => pupilId ?? []));
      const input = { certificate: query.certificate, product: config.productName, awards };
      const bytes = await runInWorker('renderCertificates', input, RENDERING_LIMITS);
      return new FileReply(PDF, `${query.certificate}.pdf`, Buffer.from(bytes));
    },
  },
});
