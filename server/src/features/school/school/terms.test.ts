import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import versions from '#content/legal/versions.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';

const app = testApp();

test('an acceptance of the terms is stored with version, person and time; accepting again changes nothing', async () => {
  const { id, admin } = await app.build.emptySchool();
  const at = { params: { id }, token: admin.token };
  const unaccepted = { terms_accepted_at: null };
  await app.database.kysely.updateTable('schools').set(unaccepted).where('id', '=', id).execute();
  expect((await app.call(schoolDetailsCalls.listTermsAcceptances, at)).reply.acceptances).toEqual([]);
  await app.call(schoolDetailsCalls.acceptTerms, at);
  app.setTime('2026-12-01T12:00:00.000Z');
  await app.call(schoolDetailsCalls.acceptTerms, at);
  const accepted = {
    accepted_at: '2026-11-18T12:00:00.000Z',
    accepted_by: { id: admin.id, name: 'Morgan Admin' },
  };
  expect((await app.call(schoolDetailsCalls.listTermsAcceptances, at)).reply.acceptances).toEqual([
    { document: 'licence', version: versions.licence, ...accepted },
    { document: 'privacy', version: versions.privacy, ...accepted },
    { document: 'terms', version: versions.terms, ...accepted },
  ]);
});
