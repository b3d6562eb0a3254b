import type { ProgramScope } from '#contract/programs.ts';
import { CompiledQuery } from 'kysely';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { digestNetwork } from './network.ts';
import type { ProgramGrant } from './program-grant.ts';
import { accessOf, type SchoolState, STATE_COLUMNS, STATE_JOINS } from './school-state.ts';
import type { KeyConfig } from './secrets-key.ts';
import type { UserSession } from './sessions.queries.ts';

/** The precision of the times of use, so that not every request writes. */
const TOUCH_INTERVAL_MS = 3_600_000;

interface ProgramRow extends SchoolState {
  id: number;
  scopes: ProgramScope[];
  class_ids: number[] | null;
  responsible_id: number;
  made_at: Date;
  last_used_at: Date | null;
  network_hash: Buffer | null;
  other_network_at: Date | null;
  awaits_terms: boolean;
}

const FIND_TOKEN = 'select school_id, program_id from program_tokens where token_hash = $1';
const FIND_PROGRAM = `
  select p.id, p.scopes, p.class_ids, p.responsible_id, p.made_at, p.last_used_at, p.network_hash, p.other_network_at,
    c.terms_accepted_at is null as awaits_terms, ${STATE_COLUMNS}
  from programs p join schools c on c.id = $1 ${STATE_JOINS}
  where p.school_id = $1 and p.id = $2 and p.ended_at is null and p.expires_at > $3
    and (p.confirm_by is null or p.confirm_by > $3)`;

/**
 * The session in which a program acts for the admin who answers for it, unless it has ended. Two statements, as in
 * `findSession`. It has the rights of an admin in the classes of the program, of which each call opens only what a scope
 * permits: `Call.program`.
 */
export async function findProgramSession(
  db: PlatformDb,
  tokenHash: Buffer,
  now: Date,
): Promise<UserSession | undefined> {
  const query = async <Row>(text: string, values: unknown[]) =>
    (await db.tx.executeQuery<Row>(CompiledQuery.raw(text, values))).rows[0];
  const token = await query<{ school_id: number; program_id: number }>(FIND_TOKEN, [tokenHash]);
  const row = token && (await query<ProgramRow>(FIND_PROGRAM, [token.school_id, token.program_id, now]));
  if (!row || row.is_closed) return undefined;
  return {
    kind: 'user',
    tokenHash,
    lastUsedAt: row.last_used_at ?? row.made_at,
    userId: row.responsible_id,
    schoolId: token.school_id,
    role: 'admin',
    covers: [],
    impersonatorId: null,
    provedAt: null,
    requiresPassword: false,
    hasConfirmedEmail: true,
    mustConfirmEmail: false,
    isFromProvider: false,
    mustUseProvider: false,
    hasFactor: false,
    hasTerms: !row.awaits_terms,
    isSchoolClosed: false,
    access: accessOf(row, now),
    isOperator: false,
    program: {
      id: row.id,
      scopes: row.scopes,
      classIds: row.class_ids,
      networkHash: row.network_hash,
      otherNetworkAt: row.other_network_at,
    },
  };
}

/** What a use of a program changes in its row; undefined when it was noted within the hour. */
export function describeUse(
  config: KeyConfig,
  { program, lastUsedAt, schoolId }: UserSession & { program: ProgramGrant },
  address: string,
  now: Date,
) {
  const isRecent = (at: Date | null) => at !== null && Math.abs(now.getTime() - at.getTime()) < TOUCH_INTERVAL_MS;
  const digests = digestNetwork(config, `program ${schoolId} ${program.id}`, address);
  const isOther = program.networkHash !== null && !digests.some((digest) => digest.equals(program.networkHash!));
  const isDue = program.networkHash === null || !isRecent(lastUsedAt) || (isOther && !isRecent(program.otherNetworkAt));
  if (!isDue) return undefined;
  return { last_used_at: now, network_hash: digests[0], ...(isOther && { other_network_at: now }) };
}

/** Notes the use of a program. */
export async function touchProgram(
  db: SchoolDb,
  programId: number,
  use: NonNullable<ReturnType<typeof describeUse>>,
): Promise<void> {
  await db.tx
    .updateTable('programs')
    .set(use)
    .where('school_id', '=', db.schoolId)
    .where('id', '=', programId)
    .execute();
}
