import type { CertificateId } from '#contract/certificates.ts';
import type { QueryOf } from '#contract/call.ts';
import type { certificateCalls } from '#contract/calls/certificates.ts';
import { dayIn, formatLongDay } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { runInWorker } from '../../../workers/worker-pool.ts';
import { cacheDocument, RENDERING_LIMITS } from '../help/help.public.ts';
import { getClass, listClassPupils } from '../../school/classes/classes.public.ts';
import { getPupil, getPupils } from '../../school/pupils/pupils.public.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import type { Award } from './certificates.document.ts';

/**
 * The recipients of the certificates, one page each, in the order of the request or of the class list. Throws `pupil_not_found`,
 * `class_not_found`, `class_without_pupils`.
 */
export async function listAwards(
  db: SchoolDb,
  me: StaffSession,
  query: QueryOf<typeof certificateCalls.renderCertificates>,
  now: Date,
): Promise<(Award & { pupilId: number | null })[]> {
  const school = await getSchoolRow(db);
  const shared = {
    reason: query.reason,
    date: formatLongDay(query.date ?? dayIn(school.time_zone, now)),
    school: school.name,
  };
  if (query.reader_id !== undefined) {
    const pupil = await getPupil(db, me, query.reader_id);
    return [{ ...shared, pupilId: pupil.id, name: pupil.name, className: pupil.group?.name ?? null }];
  }
  if (query.reader_ids !== undefined) {
    const pupils = new Map((await getPupils(db, me, query.reader_ids)).map((pupil) => [pupil.id, pupil]));
    return [...new Set(query.reader_ids)].flatMap((id) => {
      const pupil = pupils.get(id);
      return pupil ? { ...shared, pupilId: id, name: pupil.name, className: pupil.group?.name ?? null } : [];
    });
  }
  const schoolClass = await getClass(db, me, query.group_id ?? 0);
  if (query.for === 'group') return [{ ...shared, pupilId: null, name: schoolClass.name, className: null }];
  const pupils = await listClassPupils(db, schoolClass.id);
  if (pupils.length === 0) throw new AppError('class_without_pupils');
  return pupils.map(({ id, name }) => ({ ...shared, pupilId: id, name, className: schoolClass.name }));
}

/** A certificate with empty fields, with the product's name. */
export const blankCertificate = cacheDocument((certificate: CertificateId, product) =>
  runInWorker('renderCertificates', { certificate, product, awards: [] }, RENDERING_LIMITS),
);
