// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import SchoolRecordsRunPage from './SchoolRecordsRunPage.tsx';

it('a run that does not exist, or of another school, is not found', async () => {
  signIn(makeUser());
  fakeApi({});
  renderRoutes([{ path: '/school/records/:runId', element: <SchoolRecordsRunPage /> }], '/school/records/9');
  expect(await screen.findByRole('heading', { name: 'File not found' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});
