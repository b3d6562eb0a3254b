import { createPupils } from '#contract/calls/pupil-import.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';

const app = testApp();

test('a csv adds its pupils once', async () => {
  const school = await app.build.school();
  const add = () =>
    app.call(createPupils, {
      params: { id: school.id },
      token: school.admin.token,
      file: { name: 'roll.csv', content: 'Surname,Forename,Class\nSmith,Jane,Year 3 Wrens\nJones,Bob,Owls\nBaker,Ada,\n' },
    });
  expect((await add()).reply.meta).toEqual({ created: 2, already: 1, duplicates: 0, classes_created: ['Owls'], placed: 0 });
  expect((await add()).reply.meta).toEqual({ created: 0, already: 3, duplicates: 0, classes_created: [], placed: 0 });
});
