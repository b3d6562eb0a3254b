import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { ORIGIN, PROOFS, Story, type Who } from '../../../testing/owner-story.ts';

const app = testApp({ PUBLIC_URL: ORIGIN });
const RUNS = 2000;
/** A school's staff is limited. */
const STORIES_OF_A_SCHOOL = 50;

const who = fc.constantFrom<Who>('owner', 'stranger');
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constantFrom('logIn', 'requestChange', 'confirmChange', 'addPasskey', 'logInWithPasskey', 'requestReset'),
      who,
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('prove' as const), how: fc.constantFrom(...PROOFS) }) },
);

test(`after each proof of the owner nothing issued earlier gives anything, in ${RUNS} random stories of two people`, async () => {
  let school: BuiltSchool | undefined;
  let stories = 0;
  let proofs = 0;
  await fc.assert(
    fc.asyncProperty(who, fc.array(step, { minLength: 2, maxLength: 5 }), async (first, steps) => {
      if (stories % STORIES_OF_A_SCHOOL === 0) school = await app.build.school();
      stories += 1;
      await app.database.kysely.deleteFrom('rate_limits').execute();
      const story = await Story.begin(app, school as BuiltSchool, first);
      for (const step of steps) await (step.act === 'prove' ? story.prove(step.how) : story[step.act](step.who));
      await story.prove('reset');
      proofs += story.proofs;
      expect(story.left).toEqual([]);
      expect([401, undefined]).toContain(await story.logInAsStranger());
    }),
    { numRuns: RUNS, seed: 20261127, endOnFailure: true },
  );
  expect(proofs).toBeGreaterThan(RUNS / 2);
}, 600_000);
