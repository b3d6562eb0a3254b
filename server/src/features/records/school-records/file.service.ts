import { digestSecret } from '../../../auth/secrets-key.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { AppError } from '../../../errors.ts';
import { runInWorker, WorkerLimitExceeded } from '../../../workers/worker-pool.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { SchoolRecords } from './state.service.ts';
import type { FilePupil, FileReading, SchoolOption, SchoolRecordsFile } from './file-content.service.ts';

const LIMITS = { cpuMs: 20_000, uploadHeapMb: 320 };

/** What a file states, once the school is chosen if there are several. */
export interface ReadSchoolRecords {
  schools: SchoolOption[];
  read: { kind: SchoolRecordsFile['kind']; records: SchoolRecords } | null;
}

/**
 * Reads an uploaded file in a worker and replaces UPNs and dates of birth by keyed digests. Throws
 * `school_records_unreadable` or `file_too_complex`.
 * @param school the ID of the school to read, of several; null without a choice
 */
export async function readSchoolRecordsFile(
  { content, school }: { content: Buffer; school: string | null },
  schoolId: number,
  config: Config,
  now: Date,
): Promise<ReadSchoolRecords> {
  const { schools, file } = await readInWorker({ content, school, today: dayIn('Europe/London', now) });
  return { schools, read: file && { kind: file.kind, records: toSchoolRecords(file, schoolId, config) } };
}

/** Replaces UPNs and dates of birth by keyed digests. Throws `school_records_unreadable`. */
export function toSchoolRecords(
  { kind: _, ...file }: SchoolRecordsFile,
  schoolId: number,
  config: Config,
): SchoolRecords {
  const digest = (purpose: string, text: string) =>
    digestSecret(config, purpose, `${schoolId} ${text}`)[0].toString('hex');
  const seen = new Set<string>();
  const pupils = file.pupils.map(({ sourceId, birthDate, upn, ...pupil }) => {
    const row = {
      ...pupil,
      upn: upn && digest('school records upn', upn),
      birth: birthDate && digest('school records birth', birthDate),
    };
    const id = sourceId ?? row.upn ?? digest('school records pupil', identityOf({ ...pupil, birthDate }));
    if (seen.has(id)) throw new AppError('school_records_unreadable', { text: 'A pupil is in this file twice.' });
    seen.add(id);
    return { sourceId: id, ...row };
  });
  return { ...file, pupils };
}

/** What identifies a pupil without an ID and a UPN. */
const identityOf = ({ name, birthDate }: Pick<FilePupil, 'name' | 'birthDate'>) =>
  `${nameKey(name ?? '')} ${birthDate}`;

async function readInWorker(reading: { content: Buffer; school: string | null; today: string }): Promise<FileReading> {
  try {
    return await runInWorker('readSchoolRecords', reading, LIMITS);
  } catch (error) {
    if (error instanceof WorkerLimitExceeded) throw new AppError('file_too_complex');
    const failure = (error as { failure?: string }).failure;
    if (failure) throw new AppError('school_records_unreadable', { text: failure });
    throw error;
  }
}
