import type { Role } from '#contract/permissions.ts';
import type { ProgramGrant } from './auth/program-grant.ts';
import type { UserSession } from './auth/sessions.queries.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';

/** What every feature can use. */
export interface Services {
  config: Config;
  database: Database;
  clock: Clock;
}

/** The caller's role in a school, which decides their permissions on its rows. */
export interface StaffMember {
  userId: number;
  role: Role;
  /** The IDs of the classes that they cover. */
  covers: readonly number[];
  /** The program that acts for them, perhaps in some classes only; never in what is confidential about a pupil. */
  program?: Pick<ProgramGrant, 'classIds'> | null;
}

/** A member of a school's staff. */
export interface StaffSession extends UserSession {
  schoolId: number;
  role: Role;
}
