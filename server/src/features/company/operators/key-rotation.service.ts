import { resignChain } from '../../../audit/audit-head.queries.ts';
import { SEALED_COLUMNS } from '../../../auth/keyed-columns.ts';
import { resealBatch } from '../../../auth/reseal.queries.ts';
import { fingerprintsOf, type KeyConfig } from '../../../auth/secrets-key.ts';
import { addDays, dayIn, formatLongDay } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { listMissingKeys, retireKey } from '../../../database/secret-keys.ts';
import {
  countCodeOwners,
  deleteCodesOfKey,
  deleteDigestsOfSchool,
  deleteProgramDevices,
  findNextSchool,
} from './key-rotation.queries.ts';

/** Runs a step in a transaction of its own, so that the portal serves in between and an interrupted command can be repeated. */
type Run = <T>(step: (db: PlatformDb) => Promise<T>) => Promise<T>;

/** A longer list would not be read. */
const MAX_SCHOOLS_SHOWN = 20;

/** What a rotation did and left, in sentences for operators. */
export interface Rotation {
  lines: string[];
  /** Something cannot be decrypted, or is signed with none of the keys. */
  hasProblems: boolean;
}

/** Encrypts every sealed column with the first key. */
async function resealColumns(run: Run, config: KeyConfig): Promise<Rotation> {
  const done: string[] = [];
  const problems: string[] = [];
  for (const column of SEALED_COLUMNS) {
    let resealed = 0;
    let unreadable = 0;
    let last: readonly unknown[] | undefined;
    do {
      const after = last;
      const batch = await run((db) => resealBatch(db, config, column, after));
      resealed += batch.resealed;
      unreadable += batch.unreadable;
      last = batch.last;
    } while (last);
    done.push(`${column.title}: ${resealed}`);
    if (unreadable > 0) problems.push(`✗ Encrypted with none of these keys: ${column.title}: ${unreadable}`);
  }
  return { lines: [...done.map((line) => `Encrypted again: ${line}`), ...problems], hasProblems: problems.length > 0 };
}

/** Calls a step for each school, in a transaction of its own. */
async function forEachSchool(run: Run, step: (db: PlatformDb, schoolId: number) => Promise<void>): Promise<void> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    const after: number = last;
    last = await run(async (db) => {
      const schoolId = await findNextSchool(db, after);
      if (schoolId !== undefined) await step(db, schoolId);
      return schoolId;
    });
  }
}

/** Signs the head of every school's audit log with the first key. */
async function resignChains(run: Run, config: KeyConfig): Promise<Rotation> {
  let resigned = 0;
  let unsigned = 0;
  const shown: number[] = [];
  await forEachSchool(run, async (db, schoolId) => {
    const result = await resignChain(db, config, schoolId);
    if (result === 'resigned') resigned += 1;
    if (result !== 'unsigned') return;
    unsigned += 1;
    if (shown.length < MAX_SCHOOLS_SHOWN) shown.push(schoolId);
  });
  const lines = [`Signed again: audit logs of schools: ${resigned}`];
  if (unsigned > 0)
    lines.push(
      `✗ Signed with none of these keys, and left as they are: audit logs of schools: ${unsigned} (IDs ${shown.join(', ')}${unsigned > shown.length ? ' …' : ''}). See npm run verify-audit.`,
    );
  return { lines, hasProblems: unsigned > 0 };
}

/** Deletes the digests that an earlier key may have made, and that are not stored as text to compute them again. */
async function discardDigests(run: Run, earlier: readonly string[]): Promise<void> {
  for (const fingerprint of earlier) while (await run((db) => deleteCodesOfKey(db, fingerprint)));
  while (await run(deleteProgramDevices));
  await forEachSchool(run, deleteDigestsOfSchool);
}

/** Retires the earlier keys that nothing in the database needs. */
async function retireKeys(
  run: Run,
  { backupDir, backupDays }: Pick<Config, 'backupDir' | 'backupDays'>,
  earlier: readonly string[],
  now: Date,
): Promise<string[]> {
  const lines: string[] = [];
  const today = dayIn('Europe/London', now);
  const restores = backupDir
    ? `until ${formatLongDay(addDays(today, backupDays + 1))}, when the last nightly backup from before today is deleted`
    : 'for as long as you have backups from before today';
  for (const fingerprint of earlier) {
    const owners = await run(async (db) => {
      const count = await countCodeOwners(db, fingerprint);
      if (count === 0) await retireKey(db, fingerprint, now);
      return count;
    });
    lines.push(
      owners > 0
        ? `The key ${fingerprint} is still needed for recovery codes. Accounts with such codes: ${owners}. Their owners can make new codes on their account page, or you can delete the codes with --discard.`
        : `The key ${fingerprint} is retired. Remove it from SECRETS_KEY and restart every process. Keep it beside your backups ${restores}: restoring one of them needs it.`,
    );
  }
  return lines;
}

/**
 * Moves everything that earlier keys of `SECRETS_KEY` protect to the first key, and retires the keys that nothing needs
 * any more. Can be repeated; a later run finds what a process with an earlier key wrote meanwhile.
 * @param discards deletes digests of earlier keys, which cannot be computed again
 */
export async function rotateKey(
  run: Run,
  config: KeyConfig & Pick<Config, 'backupDir' | 'backupDays'>,
  now: Date,
  { discards }: { discards: boolean },
): Promise<Rotation> {
  const [current = '', ...earlier] = fingerprintsOf(config);
  const steps = [await resealColumns(run, config), await resignChains(run, config)];
  if (discards) await discardDigests(run, earlier);
  const today = dayIn('Europe/London', now);
  const missing = await run((db) => listMissingKeys(db, [current, ...earlier]));
  return {
    lines: [
      `The current key is ${current}${earlier.length > 0 ? `; earlier keys in SECRETS_KEY: ${earlier.join(', ')}` : ', the only one in SECRETS_KEY'}.`,
      ...steps.flatMap(({ lines }) => lines),
      ...missing.map((fingerprint) => `✗ The database also has the key ${fingerprint}, which SECRETS_KEY lacks.`),
      ...(earlier.length === 0
        ? []
        : discards
          ? ['Discarded: recovery codes, trusted networks and digests of UPNs and dates of birth of earlier keys.']
          : [
              `Digests of earlier keys end by themselves: trusted networks by ${formatLongDay(addDays(today, 30))}, programs recognised by their network by ${formatLongDay(addDays(today, 365))}, UPNs and dates of birth with each school's next file. --discard deletes them now.`,
            ]),
      ...(await retireKeys(run, config, earlier, now)),
    ],
    hasProblems: steps.some(({ hasProblems }) => hasProblems) || missing.length > 0,
  };
}
