import { digestSecret } from '../../../auth/secrets-key.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import { AppError } from '../../../errors.ts';
import { runInWorker, WorkerLimitExceeded } from '../../../workers/worker-pool.ts';
import { nameKey } from '../../school/pupils/pupils.public.ts';
import type { Roster } from './roster-state.service.ts';
import type { FilePupil, RosterFile } from './roster-file-content.service.ts';

const LIMITS = { cpuMs: 20_000, uploadHeapMb: 320 };

/**
 * Reads an uploaded file in a worker and replaces UPNs and dates of birth by keyed digests. Throws
 * `records_unreadable` or `file_too_complex`.
 */
export async function readRosterFile(
  content: Buffer,
  schoolId: number,
  config: Config,
  now: Date,
): Promise<{ kind: RosterFile['kind']; roster: Roster }> {
  const file = await readInWorker(content, dayIn('Europe/London', now));
  return { kind: file.kind, roster: toRoster(file, schoolId, config) };
}

/** Replaces UPNs and dates of birth by keyed digests. Throws `records_unreadable`. */
export function toRoster({ kind: _, ...file }: RosterFile, schoolId: number, config: Config): Roster {
  const digest = (purpose: string, text: string) =>
    digestSecret(config, purpose, `${schoolId} ${text}`)[0].toString('hex');
  const seen = new Set<string>();
  const pupils = file.pupils.map(({ sourceId, birthDate, upn, ...pupil }) => {
    const row = {
      ...pupil,
      upn: upn && digest('roster upn', upn),
      birth: birthDate && digest('roster birth', birthDate),
    };
    const id = sourceId ?? row.upn ?? digest('roster pupil', identityOf({ ...pupil, birthDate }));
    if (seen.has(id)) throw new AppError('records_unreadable', { text: 'A pupil is in this file twice.' });
    seen.add(id);
    return { sourceId: id, ...row };
  });
  return { ...file, pupils };
}

/** What identifies a pupil without an ID and a UPN. */
const identityOf = ({ name, birthDate }: Pick<FilePupil, 'name' | 'birthDate'>) =>
  `${nameKey(name ?? '')} ${birthDate}`;

async function readInWorker(content: Buffer, today: string): Promise<RosterFile> {
  try {
    return await runInWorker('readRoster', { content, today }, LIMITS);
  } catch (error) {
    if (error instanceof WorkerLimitExceeded) throw new AppError('file_too_complex');
    const failure = (error as { failure?: string }).failure;
    if (failure) throw new AppError('records_unreadable', { text: failure });
    throw error;
  }
}
