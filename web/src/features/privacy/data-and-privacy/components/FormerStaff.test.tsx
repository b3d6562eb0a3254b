// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import { FormerStaff } from './FormerStaff.tsx';

it('a former member who works at another school has no address and no data request, and can be erased', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const people = [
    { id: 5, first_name: 'Ivy', last_name: 'Wren', email: 'ivy@school.example', left_on: '2026-07-20' },
    { id: 6, first_name: 'Tom', last_name: 'Finch', email: null, left_on: '2026-07-21' },
  ];
  const element = <FormerStaff people={people} onErase={() => undefined} />;
  renderRoutes([{ path: '/', element }], '/');
  const elsewhere = within(await screen.findByRole('row', { name: /Tom Finch/ }));
  expect(elsewhere.getByText('Works at another school now')).toBeTruthy();
  expect(elsewhere.queryByRole('link')).toBeNull();
  expect(await elsewhere.findByRole('button', { name: 'Erase the account of Tom Finch' })).toBeTruthy();
  const gone = within(screen.getByRole('row', { name: /Ivy Wren/ }));
  expect(gone.getByRole('link', { name: 'Data request about Ivy Wren' })).toBeTruthy();
});
