import type { ProgramGrant } from '../auth/program-grant.ts';
import { describeUse, touchProgram } from '../auth/programs.queries.ts';
import type { UserSession } from '../auth/sessions.queries.ts';
import type { Services } from '../context.ts';
import { inSchool } from '../database/school.ts';
import { limitProgram } from './rate-limit.ts';

/** Counts a call of a program, and notes when and from where it was used. Throws `too_many_requests`. */
export async function noteProgramUse(
  { database, config }: Services,
  session: UserSession & { program: ProgramGrant },
  address: string,
  now: Date,
): Promise<void> {
  const { program, schoolId } = session;
  if (schoolId === null) throw new Error('A program belongs to a school.');
  await limitProgram(database, schoolId, program.id, now);
  const use = describeUse(config, session, address, now);
  if (use) await inSchool(database, schoolId, (db) => touchProgram(db, program.id, use));
}
