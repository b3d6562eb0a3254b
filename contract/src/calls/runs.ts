import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, ids, pagedMeta, paging, timestamp } from '../fields.ts';
import { yearGroup } from './pupils.ts';

/** What changes many pupils at once: school records (OneRoster, a Common or an Admissions Transfer File), a list of pupils, a year end. */
export const RUN_KINDS = ['oneroster', 'ctf', 'atf', 'list', 'year_end'] as const;

/** Where school records come from: an uploaded file, an admin's check of the connection, or a nightly one. */
export const RUN_ORIGINS = ['file', 'check', 'nightly'] as const;

/**
 * Why an undo skips something. `not_managed`: a pupil whom the teacher can no longer change. `name_taken` and `class_used`
 * are about classes.
 */
export const SKIP_REASONS = [
  'changed',
  'has_read',
  'not_managed',
  'class_deleted',
  'id_taken',
  'name_taken',
  'class_used',
] as const;

const person = z.strictObject({ id, name: z.string() }).nullable();
const number = z.number().int();

/** What a run changed. */
export const runCounts = z.strictObject({
  joiners: number,
  returners: number,
  movers: number,
  names: number,
  year_groups: number,
  leavers: number,
  classes: number,
});

export const run = z
  .strictObject({
    id,
    kind: z.enum(RUN_KINDS),
    /** Null for lists and year ends. */
    origin: z.enum(RUN_ORIGINS).nullable(),
    /** The name of a list's file, for 30 days. */
    title: z.string().nullable(),
    /** `planned`: not applied or discarded yet. `expired`: planned for 30 days. Only school records are planned. */
    state: z.enum(['planned', 'applied', 'discarded', 'undone', 'expired']),
    created_at: timestamp,
    created_by: person,
    /** When it was applied or discarded. */
    closed_at: timestamp.nullable(),
    closed_by: person,
    /** Applied by a nightly check, because the school allows it. */
    is_automatic: z.boolean(),
    /** What was changed; null before. */
    counts: runCounts.nullable(),
    /** The deadline for undoing it; null when it cannot be undone. */
    undo_until: timestamp.nullable(),
  })
  .meta({ id: 'Run' });
export type Run = z.infer<typeof run>;

/** Pupils, or classes without `pupil`, that keep their current values. */
const skipped = z.array(z.strictObject({ pupil: id.nullable(), name: z.string(), reason: z.enum(SKIP_REASONS) }));

/** What an undo would do now. */
const undoPlan = z
  .strictObject({
    /** Pupils who go to the archive, and who come back from it. */
    archived: number,
    restored: number,
    /** Pupils who go back to their former class, name and year group. */
    moved: number,
    renamed: number,
    year_groups: number,
    /** Classes. */
    classes_deleted: number,
    classes_restored: number,
    /** Classes that get back their former name or teachers. */
    classes_changed: number,
    skipped,
  })
  .meta({ id: 'UndoPlan' });
export type UndoPlan = z.infer<typeof undoPlan>;

/** A pupil with their current name. */
const changedPupil = z.strictObject({ id, name: z.string(), is_archived: z.boolean() });

/** A class by its current name, or by its last known one; null for a class that has been deleted and left no name. */
const runClass = z.strictObject({ id, name: z.string().nullable() });

/** A class of a pupil; null for none. */
const ofPupil = runClass.nullable();

/** What a run changed. A pupil may be in several parts. Erased pupils are in none. */
const runChanges = z
  .strictObject({
    /** Pupils who are new, came back from the archive, or went to it. `class`: their class afterwards, of leavers before. */
    joiners: z.array(changedPupil.extend({ class: ofPupil })),
    returners: z.array(changedPupil.extend({ class: ofPupil })),
    leavers: z.array(changedPupil.extend({ class: ofPupil })),
    movers: z.array(changedPupil.extend({ from: ofPupil, to: ofPupil })),
    names: z.array(changedPupil.extend({ from: z.string(), to: z.string() })),
    year_groups: z.array(changedPupil.extend({ from: yearGroup.nullable(), to: yearGroup.nullable() })),
    /** Pupils who are now known by their ID in the school records, and have no other change. */
    recognised: z.array(changedPupil),
    /** Names of classes: `from` is null for a new class, `to` for a deleted one. */
    classes: z.array(z.strictObject({ id, from: z.string().nullable(), to: z.string().nullable() })),
  })
  .meta({ id: 'RunChanges' });
export type RunChanges = z.infer<typeof runChanges>;

const runIds = ids('id', 'runId');

export const runCalls = defineCalls({
  listRuns: {
    method: 'GET',
    path: '/enterprises/{id}/runs',
    tag: 'Undo',
    summary: 'The lists of pupils, school records and year ends, the latest first',
    description: 'Admins see all of them, teachers the lists that they added themselves.',
    permission: 'manage_pupils',
    params: ids('id'),
    query: z.object({ ...paging, kind: z.enum(RUN_KINDS, 'This is not a kind of run.').optional() }),
    reply: z.strictObject({ runs: z.array(run), meta: pagedMeta }),
  },

  getRun: {
    method: 'GET',
    path: '/enterprises/{id}/runs/{runId}',
    tag: 'Undo',
    summary: 'A run, what it changed, and what undoing it would do now',
    permission: 'manage_pupils',
    params: runIds,
    reply: z.strictObject({
      run,
      /** What it changed; null when it cannot be undone, because then it is no longer stored. */
      changes: runChanges.nullable(),
      /** Null when it cannot be undone. */
      undo: undoPlan.nullable(),
    }),
  },

  undoRun: {
    method: 'POST',
    path: '/enterprises/{id}/runs/{runId}/undo',
    tag: 'Undo',
    summary: 'Undo what a run changed, within 30 days',
    description:
      'Pupils whom it added go to the archive, and those whom it archived come back. Classes that it created are deleted if they are not in use. What was changed since is skipped, and named in `skipped` with a reason. Erased pupils stay erased. A year end is undone only if its classes can have their former names.',
    permission: 'manage_pupils',
    params: runIds,
    reply: z.strictObject({ run, skipped }),
    errors: ['max_readers_reached', 'class_name_taken'],
  },
});
