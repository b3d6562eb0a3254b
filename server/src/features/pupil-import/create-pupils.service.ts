import type { LoginLinks, PupilsCreated } from '#contract/calls/pupil-import.ts';
import type { Config } from '../../config.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { insertClass, listClasses } from '../classes/classes.public.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { createPupilRows, listKnownPupils, reserveUsernames } from './create-pupils.queries.ts';
import { assignCredentials, type Credential } from '../login-cards/login-cards.public.ts';
import { type Plan, planImport } from './import-plan.service.ts';
import type { ParsedImport } from './parser.service.ts';
import { storeLoginSheet, linksTo } from '../login-cards/login-cards.public.ts';

/** Wrong rows that one error names. */
const NAMED = 100;

type Chosen = { id: number; name: string } | undefined;

/** What an import of this roll would do to the school as it is now. */
export async function planImportedRows(
  db: SchoolDb,
  me: StaffSession,
  roll: Pick<ParsedImport, 'rows'>,
  chosen: Chosen,
): Promise<Plan> {
  const known = { pupils: await listKnownPupils(db, me), classes: await listClasses(db, me) };
  return planImport(roll.rows, known, me, chosen && { id: chosen.id, name: chosen.name });
}

/** Throws `validation` when a row is wrong. */
export function assertRowsValid({ wrong }: Plan): void {
  if (wrong.size === 0) return;
  const fields = Object.fromEntries([...wrong].slice(0, NAMED));
  const listed = [...wrong]
    .slice(0, 3)
    .map(([path, texts]) => (path.startsWith('readers') ? texts[0] : `${path}: ${texts[0]}`));
  const more = wrong.size > listed.length ? ` And ${wrong.size - listed.length} more.` : '';
  throw new AppError('validation', { fields, text: `${listed.join(' ')}${more} Nobody was added.` });
}

/**
 * Creates the pupils of a plan with the classes they need, their usernames and the sealed sheet of their logins.
 * @param made passwords hashed before the transaction; missing ones are made here: somebody was deleted or renamed since, which is rare and few
 */
export async function createPlanned(
  db: SchoolDb,
  me: StaffSession,
  plan: Plan,
  made: readonly Credential[],
  context: { now: Date; config: Config },
): Promise<{ links: LoginLinks | null; pupils: PupilsCreated['readers']; classesCreated: string[] }> {
  const { creating, newClasses } = plan;
  if (creating.length === 0) return { links: null, pupils: [], classesCreated: [] };
  const classes = new Map<string, { id: number; name: string }>();
  for (const [key, name] of newClasses) {
    const id = await insertClass(db, name, me.role === 'teacher' ? me.userId : null, context.now);
    await recordChange(db, me, context.now, {
      action: 'class_created',
      subjectKind: 'class',
      subjectId: id,
      details: { name },
    });
    classes.set(key, { id, name });
  }
  const credentials = await assignCredentials(made, classNamesOf(plan), context.config.hashCost);
  const usernames = await reserveUsernames(
    db,
    creating.map(({ name }) => name),
  );
  const pupils = creating.map(({ name, target }, index) => {
    const schoolClass = target && 'newKey' in target ? (classes.get(target.newKey) ?? null) : target;
    const { password, hash } = credentials[index] as Credential;
    return { name, schoolClass, username: usernames[index] as string, password, hash };
  });
  const ids = await createPupilRows(
    db,
    pupils.map(({ name, username, hash, schoolClass }) => ({
      name,
      username,
      passwordHash: hash,
      classId: schoolClass?.id ?? null,
    })),
    context.now,
  );
  const token = await storeLoginSheet(
    db,
    me.userId,
    pupils.map(({ name, schoolClass, username, password }) => ({
      name,
      class: schoolClass?.name ?? null,
      username,
      password,
    })),
    context.now,
  );
  await recordChange(db, me, context.now, {
    action: 'pupils_created',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: ids },
  });
  return {
    links: linksTo(token, context.config.publicUrl),
    pupils: pupils.map(({ name, username, schoolClass }, index) => ({
      id: ids[index] as number,
      name,
      username,
      group: schoolClass,
    })),
    classesCreated: [...newClasses.values()],
  };
}

/** The name of the class of each pupil to create. */
export const classNamesOf = ({ creating, newClasses }: Plan): (string | null)[] =>
  creating.map(({ target }) =>
    target && 'newKey' in target ? (newClasses.get(target.newKey) ?? null) : (target?.name ?? null),
  );

/** How many rows are what. */
export function countRows(plan: Plan): { new: number; already: number; duplicate: number; wrong: number } {
  const counts = { new: 0, already: 0, duplicate: 0, wrong: 0 };
  for (const { status } of plan.rows) counts[status] += 1;
  return counts;
}
