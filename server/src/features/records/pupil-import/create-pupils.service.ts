import type { ImportPreview, LoginLinks, PupilsCreated } from '#contract/calls/pupil-import.ts';
import { dayIn } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { insertClass, listClasses } from '../../school/classes/classes.public.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { createPupilRows, listKnownPupils, reserveUsernames } from './create-pupils.queries.ts';
import {
  assignCredentials,
  type Credential,
  linksTo,
  storeLoginSheet,
} from '../../school/login-cards/login-cards.public.ts';
import { type PlannedMove, type Plan, planImport, type TargetClass } from './import-plan.service.ts';
import { restorePupils } from '../../school/archive/archive.public.ts';
import { changeTags, lockTags, setClassOfEachPupil } from '../../school/pupils/pupils.public.ts';
import type { ParsedImport } from './parser.service.ts';

/** An error message lists at most this many rows. */
const MAX_LISTED = 100;

type TargetChoice = { id: number; name: string } | undefined;

/** Compares imported rows with the school's current pupils and classes. */
export async function planImportedRows(
  db: SchoolDb,
  me: StaffSession,
  parsed: Pick<ParsedImport, 'rows'>,
  chosen: TargetChoice,
  now: Date,
): Promise<Plan> {
  const known = { pupils: await listKnownPupils(db, me), classes: await listClasses(db, me) };
  return planImport(
    parsed.rows,
    known,
    me,
    chosen && { id: chosen.id, name: chosen.name },
    dayIn('Europe/London', now),
  );
}

/** Throws `validation` if a row is invalid. */
export function assertRowsValid({ wrong }: Plan): void {
  if (wrong.size === 0) return;
  const fields = Object.fromEntries([...wrong].slice(0, MAX_LISTED));
  const listed = [...wrong]
    .slice(0, 3)
    .map(([path, texts]) => (path.startsWith('readers') ? texts[0] : `${path}: ${texts[0]}`));
  const more = wrong.size > listed.length ? ` And ${wrong.size - listed.length} more.` : '';
  throw new AppError('validation', { fields, text: `${listed.join(' ')}${more} No pupils were added.` });
}

/** Who adds pupils: a member of staff, or the nightly check of school records. */
export type ImportAuthor = Actor & Pick<StaffSession, 'role'>;

interface AppliedImport {
  /** Null without new pupils, and for an author who is not a user. */
  links: LoginLinks | null;
  pupils: PupilsCreated['readers'];
  /** The classes created, by their keys in the plan. */
  classes: ReadonlyMap<string, { id: number; name: string }>;
  /** Existing pupils who were moved to a class. */
  moved: number;
}

/**
 * Applies a plan: creates its classes and pupils with usernames and a sealed login sheet, and moves existing pupils.
 * @param hashed passwords hashed before the transaction; those missing, because a pupil was renamed or deleted since, are hashed here
 */
export async function applyImportPlan(
  db: SchoolDb,
  me: ImportAuthor,
  plan: Pick<Plan, 'creating' | 'moves' | 'newClasses'>,
  hashed: readonly Credential[],
  context: { now: Date; config: Config },
): Promise<AppliedImport> {
  const classes = await createClasses(db, me, plan.newClasses, context.now);
  const classOf = (target: TargetClass) =>
    target && 'newKey' in target ? (classes.get(target.newKey) ?? null) : target;
  await applyMoves(db, me, plan.moves, classOf, context.now);
  const { links, pupils } = await createPupils(db, me, plan, hashed, classOf, context);
  return { links, pupils, classes, moved: plan.moves.length };
}

async function createClasses(db: SchoolDb, me: ImportAuthor, names: Plan['newClasses'], now: Date) {
  const classes = new Map<string, { id: number; name: string }>();
  for (const [key, name] of names) {
    const id = await insertClass(db, name, me.role === 'admin' ? null : me.userId, now);
    await recordChange(db, me, now, {
      action: 'class_created',
      subjectKind: 'class',
      subjectId: id,
      details: { name },
    });
    classes.set(key, { id, name });
  }
  return classes;
}

type ClassOf = (target: TargetClass) => { id: number; name: string } | null;

/** Moves existing pupils to the classes of their rows, and restores archived ones first. */
async function applyMoves(
  db: SchoolDb,
  me: ImportAuthor,
  moves: readonly PlannedMove[],
  classOf: ClassOf,
  now: Date,
): Promise<void> {
  if (moves.length === 0) return;
  const restored = moves.filter(({ isRestored }) => isRestored).map(({ pupilId }) => pupilId);
  if (restored.length > 0) await restorePupils(db, me, restored, now);
  await setClassOfEachPupil(
    db,
    moves.map(({ pupilId, target }) => ({ id: pupilId, class_id: classOf(target)?.id ?? null })),
  );
  await recordChange(db, me, now, {
    action: 'pupils_moved',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: moves.map(({ pupilId }) => pupilId) },
  });
}

async function createPupils(
  db: SchoolDb,
  me: ImportAuthor,
  plan: Pick<Plan, 'creating' | 'newClasses'>,
  hashed: readonly Credential[],
  classOf: ClassOf,
  context: { now: Date; config: Config },
): Promise<Pick<AppliedImport, 'links' | 'pupils'>> {
  const { creating } = plan;
  if (creating.length === 0) return { links: null, pupils: [] };
  const credentials = await assignCredentials(hashed, classNamesOf(plan), context.config.hashCost);
  const usernames = await reserveUsernames(
    db,
    creating.map(({ name }) => name),
  );
  const pupils = creating.map(({ name, target, yearGroup }, index) => {
    const { password, hash } = credentials[index] as Credential;
    return { name, schoolClass: classOf(target), yearGroup, username: usernames[index] as string, password, hash };
  });
  const ids = await createPupilRows(
    db,
    pupils.map(({ name, username, hash, schoolClass, yearGroup }) => ({
      name,
      username,
      passwordHash: hash,
      classId: schoolClass?.id ?? null,
      yearGroup,
    })),
    context.now,
  );
  const logins = pupils.map(({ name, schoolClass, username, password }) => ({
    name,
    class: schoolClass?.name ?? null,
    username,
    password,
  }));
  const token = me.userId === null ? undefined : await storeLoginSheet(db, me.userId, logins, context.now);
  await recordChange(db, me, context.now, {
    action: 'pupils_created',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: ids },
  });
  await tagCreated(db, me, creating, ids, context.now);
  return {
    links: token === undefined ? null : linksTo(token, context.config.publicUrl),
    pupils: pupils.map(({ name, username, schoolClass }, index) => ({
      id: ids[index] as number,
      name,
      username,
      group: schoolClass,
    })),
  };
}

/** Gives the pupils just created the tags of their rows. Tags deleted since are left out. */
async function tagCreated(
  db: SchoolDb,
  me: ImportAuthor,
  creating: Plan['creating'],
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const pairs = creating.flatMap(({ tagIds = [] }, index) =>
    tagIds.map((tagId) => ({ tagId, pupilId: ids[index] as number })),
  );
  if (pairs.length === 0) return;
  const pupilsByTag = Map.groupBy(pairs, ({ tagId }) => tagId);
  const tagIds = await lockTags(db, [...pupilsByTag.keys()]);
  const pupils = await changeTags(
    db,
    tagIds.map((tagId) => ({
      tag_id: tagId,
      add: (pupilsByTag.get(tagId) ?? []).map(({ pupilId }) => pupilId),
      remove: [],
    })),
  );
  if (pupils.length === 0) return;
  // Without the tags: the log must not state which sensitive tag a child has.
  await recordChange(db, me, now, {
    action: 'pupils_tagged',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils },
  });
}

/** The class name of each pupil to create. */
export const classNamesOf = ({ creating, newClasses }: Pick<Plan, 'creating' | 'newClasses'>): (string | null)[] =>
  creating.map(({ target }) =>
    target && 'newKey' in target ? (newClasses.get(target.newKey) ?? null) : (target?.name ?? null),
  );

/** Counts the rows by status. */
export function countRows(plan: Plan): ImportPreview['counts'] {
  const counts = { new: 0, already: 0, moved: 0, archived: 0, duplicate: 0, wrong: 0 };
  for (const { status } of plan.rows) counts[status] += 1;
  return counts;
}
