import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { EXAMPLE } from '../examples.ts';
import { className, id, ids, timestamp } from '../fields.ts';
import { runCounts } from './runs.ts';

/** A year end that can be undone. */
const yearEnd = z
  .strictObject({
    /** The ID of its run. */
    id,
    applied_at: timestamp,
    /** Null when they have left the school. */
    applied_by: z.strictObject({ id, name: z.string() }).nullable(),
    /** The deadline for undoing it. */
    undo_until: timestamp,
    /** Classes that moved up, and pupils who left. */
    moved_classes: z.number().int(),
    left_pupils: z.number().int(),
  })
  .meta({ id: 'YearEnd' });
export type YearEnd = z.infer<typeof yearEnd>;

const number = z.number().int();

/** What the school records propose for a class. Classes of which they know less than half are left out. */
const proposal = z.strictObject({
  group_id: id,
  /**
   * `joins`: its pupils go to a class that another one becomes. `splits`: they go to several classes. For both, the
   * school records move each pupil.
   */
  step: z.enum(['moves_up', 'stays', 'leaves', 'joins', 'splits']),
  /** The class to which most of its pupils go; null for `leaves` and `splits`. */
  name: z.string().nullable(),
  /** The pupils of the class who go there or leave; 0 for `splits`. */
  pupils: number,
});

/** What the OneRoster file or connection of the school has for a year end. */
const yearEndRecords = z
  .discriminatedUnion('state', [
    z.strictObject({
      state: z.literal('planned'),
      run_id: id,
      /** The pupils of the school who are in the records, and what applying them would change now. */
      recognised: number,
      joiners: number,
      returners: number,
      movers: number,
      leavers: number,
      questions: number,
      /** Staff who can be invited. */
      staff: number,
      /** Empty when most classes stay: these are the records of the current year. */
      classes: z.array(proposal),
    }),
    /** The first records that were applied since the year end. */
    z.strictObject({ state: z.literal('applied'), run_id: id, counts: runCounts }),
  ])
  .meta({ id: 'YearEndRecords' });
export type YearEndRecords = z.infer<typeof yearEndRecords>;

const name = { from: z.string().max(100) } as const;

/** What happens to one class; classes without a step stay as they are. `from` is its name as the user saw it. */
const step = z.discriminatedUnion('step', [
  z.object({ step: z.literal('moves_up'), group_id: id, ...name, name: className, manager_id: id.nullable() }),
  z.object({ step: z.literal('leaves'), group_id: id, ...name }),
]);
export type YearEndStep = z.infer<typeof step>;

export const yearEndBody = z.object({
  classes: z
    .array(step, 'Choose what happens to the classes.')
    .min(1, 'Choose what happens to at least one class.')
    .max(200, 'A year end has at most 200 classes.')
    .refine(
      (steps) => new Set(steps.map(({ group_id }) => group_id)).size === steps.length,
      'List each class only once.',
    ),
});

export const yearEndCalls = defineCalls({
  getYearEnd: {
    method: 'GET',
    path: '/enterprises/{id}/year-end',
    tag: 'Classes',
    summary: 'The year end that can still be undone, and what the school records have for one',
    description:
      '`year_end` is null if there was none in the last 30 days. `records` is the planned run of OneRoster with a proposal for each class, or the run that was applied since the year end, or null.',
    permission: 'delete_pupil',
    params: ids('id'),
    reply: z.strictObject({ year_end: yearEnd.nullable(), records: yearEndRecords.nullable() }),
  },

  applyYearEnd: {
    method: 'POST',
    path: '/enterprises/{id}/year-end',
    tag: 'Classes',
    summary: 'Move classes up and archive the leavers, all or nothing',
    description:
      'A class that moves up keeps its pupils and books and gets the new name and teacher. The pupils of a class that leaves are archived, and the class is deleted. 409 if a class has been renamed in the meantime, or if there was a year end in the last 30 days that was not undone.',
    permission: 'delete_pupil',
    example: {
      body: {
        classes: [
          { step: 'moves_up', group_id: EXAMPLE.otherClass, from: 'Kingfishers', name: 'Herons 4', manager_id: null },
        ],
      },
    },
    params: ids('id'),
    body: yearEndBody,
    reply: z.strictObject({ year_end: yearEnd }),
    errors: ['class_not_found', 'class_name_taken', 'teacher_not_found', 'year_end_applied', 'year_end_outdated'],
  },
});
