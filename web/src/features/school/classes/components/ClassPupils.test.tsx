// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ClassWithPupils } from '#contract/calls/classes.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeClass, makePupil, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { ClassPupils } from './ClassPupils.tsx';

const RESET_ID = '7a1c0000-0000-4000-8000-000000000002';

it('Reset Passwords shows the new cards of the ticked pupils in a dialog, with the focus on Print', async () => {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'POST /v1/enterprises/7/readers/password/reset': () => ({
      reset: { id: RESET_ID, status: 'complete', total: 1, links: null, created_at: '2026-11-18T12:00:00.000Z' },
    }),
    [`GET /v1/enterprises/7/readers/password/reset/${RESET_ID}/logins`]: () => ({
      logins: [{ name: 'Ada Baker', username: 'ada-baker', password: 'blue-boat-7', class: null, code: null }],
      instruction: 'Log in at read.example.',
    }),
  });
  const schoolClass: ClassWithPupils = { ...makeClass({ user_manages: true }), readers: [makePupil()] };
  const { user } = renderInApp(
    <ClassPupils classId={4} schoolClass={schoolClass} canSeeReading={false} canSeeNeeds={false} />,
  );
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Baker' }));
  await user.click(screen.getByRole('button', { name: 'Reset Passwords' }));
  await user.click(await screen.findByRole('button', { name: 'Reset password' }));
  const dialog = await screen.findByRole('dialog', { name: 'New login card for Ada Baker' });
  await within(dialog).findByRole('article', { name: 'Login card for Ada Baker' });
  await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Print' })));
  expect(sent['POST /v1/enterprises/7/readers/password/reset']).toEqual([{ reader_ids: [5] }]);

  await user.click(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1)!);
  await waitFor(() =>
    expect(screen.getByRole('checkbox', { name: 'Select Ada Baker' })).toHaveProperty('checked', false),
  );
  await screen.findByText('You made a new login card');
});

it('the page of a class lists its pupils, each with a box and links to their page and books in the class', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const pupils = [makePupil(), makePupil({ id: 6, name: 'Ben Crane' })];
  const schoolClass: ClassWithPupils = { ...makeClass({ user_manages: true }), readers: pupils };
  const { user } = renderInApp(
    <ClassPupils classId={4} schoolClass={schoolClass} canSeeReading={false} canSeeNeeds={false} />,
  );
  for (const { id, name } of pupils) {
    const hrefOf = (link: string) => screen.getByRole('link', { name: link }).getAttribute('href');
    await screen.findByRole('checkbox', { name: `Select ${name}` });
    await user.click(screen.getByLabelText(`Actions for ${name}`));
    expect(hrefOf(name)).toBe(`/classes/4/pupils/${id}`);
    expect(hrefOf(`Manage books of ${name}`)).toBe(`/classes/4/pupils/${id}/books`);
  }
});

it('Reset Passwords and Change Class are disabled while no pupil is ticked, and Add Pupils is not', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const schoolClass: ClassWithPupils = { ...makeClass({ user_manages: true }), readers: [makePupil()] };
  const { user } = renderInApp(
    <ClassPupils classId={4} schoolClass={schoolClass} canSeeReading={false} canSeeNeeds={false} />,
  );
  const areDisabled = () =>
    ['Reset Passwords', 'Change Class'].map((name) =>
      screen.getByRole('button', { name }).getAttribute('aria-disabled'),
    );
  const box = await screen.findByRole('checkbox', { name: 'Select Ada Baker' });
  expect(areDisabled()).toEqual(['true', 'true']);
  expect(screen.getByRole('link', { name: 'Add Pupils' }).getAttribute('href')).toBe('/classes/4/add-readers');
  await user.click(box);
  expect(areDisabled()).not.toContain('true');
});

it('a pupil who was removed from a class is offered among the existing pupils to add', async () => {
  signIn(makeUser());
  const listed = { page: 1, per_page: 50, total: 1, total_filtered: 1 };
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'DELETE /v1/enterprises/7/groups/4/readers/5': () => ({}),
    'GET /v1/enterprises/7/readers?page=1&per_page=50&groups=none': () => ({ readers: [makePupil()], meta: listed }),
    'POST /v1/enterprises/7/groups/4/readers': () => ({ readers: [] }),
  });
  const schoolClass: ClassWithPupils = { ...makeClass({ user_manages: true }), readers: [makePupil()] };
  const { user } = renderInApp(
    <ClassPupils classId={4} schoolClass={schoolClass} canSeeReading={false} canSeeNeeds={false} />,
  );
  await user.click(await screen.findByLabelText('Actions for Ada Baker'));
  await user.click(screen.getByRole('button', { name: 'Remove from class: Ada Baker' }));
  await screen.findByText('The pupil has been removed from the class');
  await user.click(screen.getByRole('button', { name: 'Add existing pupils' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add pupils to 3 Badgers' });
  await user.click(await within(dialog).findByRole('checkbox', { name: 'Ada Baker' }));
  await user.click(within(dialog).getByRole('button', { name: 'Add 1 pupil' }));
  await screen.findByText('The pupils have been added to the class');
  expect(sent['POST /v1/enterprises/7/groups/4/readers']).toEqual([{ readers: { existing: [5], new: [] } }]);
});
