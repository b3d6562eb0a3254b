import type { CertificateId } from '#contract/certificates.ts';
import type { QueryOf } from '#contract/call.ts';
import type { helpCalls } from '#contract/calls/help.ts';
import { dayIn, formatLongDay } from '../../clock.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { runInWorker } from '../../workers/worker-pool.ts';
import { getClass, listClassPupils } from '../classes/classes.public.ts';
import { getPupil } from '../pupils/pupils.public.ts';
import { getSchoolRow } from '../school/school.public.ts';
import type { Award } from './certificates.document.ts';

/** What drawing a document may use. */
export const LIMITS = { cpuMs: 20_000, heapMb: 200, keepAliveMs: 60_000 };

/**
 * Whom the certificates are for, a page each, in the order of the roll.
 * Throws `pupil_not_found`, `class_not_found`, `class_without_pupils`.
 */
export async function listAwards(
  db: SchoolDb,
  me: StaffSession,
  query: QueryOf<typeof helpCalls.drawCertificates>,
  now: Date,
): Promise<Award[]> {
  const school = await getSchoolRow(db);
  const shared = {
    reason: query.reason,
    date: formatLongDay(query.date ?? dayIn(school.time_zone, now)),
    school: school.name,
  };
  if (query.reader_id !== undefined) {
    const pupil = await getPupil(db, me, query.reader_id);
    return [{ ...shared, name: pupil.name, className: pupil.group?.name ?? null }];
  }
  const schoolClass = await getClass(db, me, query.group_id ?? 0);
  if (query.for === 'group') return [{ ...shared, name: schoolClass.name, className: null }];
  const pupils = await listClassPupils(db, schoolClass.id);
  if (pupils.length === 0) throw new AppError('class_without_pupils');
  return pupils.map(({ name }) => ({ ...shared, name, className: schoolClass.name }));
}

/** Keeps what takes long to draw and is the same for everybody: drawn at the first request, anew after a failure. */
function keep<Key extends string>(draw: (key: Key, product: string) => Promise<Uint8Array>) {
  const drawn = new Map<string, Promise<Buffer>>();
  return (key: Key, product: string): Promise<Buffer> => {
    const place = `${key} ${product}`;
    const found = drawn.get(place) ?? draw(key, product).then((bytes) => Buffer.from(bytes));
    drawn.set(place, found);
    found.catch(() => drawn.delete(place));
    return found;
  };
}

/** A certificate with empty fields, for a product of that name. */
export const blankCertificate = keep((certificate: CertificateId, product) =>
  runInWorker('drawCertificates', { certificate, product, awards: [] }, LIMITS),
);

/** The user guide as a PDF, for a product of that name. */
export const userGuide = keep((_: 'guide', product) => runInWorker('drawGuide', { product }, LIMITS));
