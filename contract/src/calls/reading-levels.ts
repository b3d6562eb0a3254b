import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { documentedAs, ids, requiredLine, text } from '../fields.ts';
import { LEVELS } from '../limits.ts';
import { MAX_LEVEL_AGE, MIN_LEVEL_AGE } from '../reading-levels.ts';

const WRONG_AGE = `An age is a whole number from ${MIN_LEVEL_AGE} to ${MAX_LEVEL_AGE}.`;
const age = z.int(WRONG_AGE).min(MIN_LEVEL_AGE, WRONG_AGE).max(MAX_LEVEL_AGE, WRONG_AGE).nullable();

/** A reading level. The ages are whole years at 1 September; null unless an operator has entered them. */
const readingLevel = z
  .strictObject({
    level: z.int().min(1).max(LEVELS.length),
    book_band: z.string(),
    from_age: z.int().nullable(),
    to_age: z.int().nullable(),
  })
  .meta({ id: 'BookBandOfLevel' });

const reply = z.strictObject({ levels: z.array(readingLevel) });

/** Reports an age without the other one, and ages in the wrong order. */
export function checkLevelAges(
  { from_age: from, to_age: to }: { from_age: number | null; to_age: number | null },
  context: z.RefinementCtx,
): void {
  const report = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (from !== null && to === null) report('to_age', 'Enter both ages or neither.');
  else if (from === null && to !== null) report('from_age', 'Enter both ages or neither.');
  else if (from !== null && to !== null && from > to) report('to_age', 'The second age cannot be below the first.');
}

/** What an operator sets for a level, each part on its own. */
export const readingLevelFields = z.object({
  book_band: requiredLine('book band', 30).refine((band) => band.length >= 2, 'A book band has at least 2 characters.'),
  from_age: age,
  to_age: age,
});

const WRONG_LEVEL = 'A level is a number from 1 to 6.';

export const readingLevelCalls = defineCalls({
  listReadingLevels: {
    method: 'GET',
    path: '/enterprises/{id}/reading-levels',
    tag: 'Books',
    summary: 'The reading levels with their book bands and ages',
    description: 'The same for every school.',
    permission: 'view_pupils',
    params: ids('id'),
    reply,
  },

  listLevelsForOperators: {
    method: 'GET',
    path: '/admin/reading-levels',
    tag: 'Operators',
    summary: 'The reading levels with their book bands and ages',
    permission: 'operator',
    reply,
  },

  updateReadingLevel: {
    method: 'POST',
    path: '/admin/reading-levels/{level}',
    tag: 'Operators',
    summary: 'Set the book band and the ages of a reading level',
    description: 'Ages are whole years at 1 September: both or neither. Applies to every school.',
    permission: 'operator',
    example: { body: { book_band: 'Orange', from_age: 6, to_age: 7 } },
    params: z.strictObject({
      level: text(WRONG_LEVEL)
        .regex(/^[1-6]$/, WRONG_LEVEL)
        .transform(Number)
        .register(documentedAs, { type: 'integer', minimum: 1, maximum: 6 }),
    }),
    body: readingLevelFields.superRefine(checkLevelAges),
    reply,
  },
});
