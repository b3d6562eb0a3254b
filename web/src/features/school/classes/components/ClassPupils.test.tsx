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

/** Shows a class of which Ada reads well, Ben does not and Cleo has read too little to tell. */
function showReading(url: string, canSeeReading = true) {
  signIn(makeUser());
  const readings = [
    { id: 5, name: 'Ada Baker', accuracy: 97, words: 412 },
    { id: 6, name: 'Ben Crane', accuracy: 84, words: 412 },
    { id: 8, name: 'Cleo Dunn', accuracy: 100, words: 12 },
  ];
  const ofPupils = readings.map((reading) => ({
    ...reading,
    last_read_on: '2026-11-18',
    reading_time_this_week: 0,
    reading_level: 3,
    weeks: [],
  }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/groups/4/reading': () => ({
      reading: { weeks: [], readers: ofPupils, read_this_week: 0, reading_time_this_week: 0, accuracy: 90, words: 836 },
    }),
  });
  const pupils = readings.map(({ id, name }) => makePupil({ id, name }));
  const schoolClass: ClassWithPupils = { ...makeClass({ user_manages: true }), readers: pupils };
  return renderInApp(
    <ClassPupils classId={4} schoolClass={schoolClass} canSeeReading={canSeeReading} canSeeNeeds={false} />,
    url,
  );
}

const listNames = () =>
  screen.getAllByRole('checkbox', { name: /^Select \w+ \w+$/ }).map((box) => box.getAttribute('aria-label')?.slice(7));

it('the filter for accuracy lists the pupils of a band, is kept in the URL, and unselects those it hides', async () => {
  const { user } = showReading('/classes/4');
  const filter = await screen.findByLabelText<HTMLSelectElement>('Accuracy, six weeks');
  expect([...filter.options].map(({ text }) => text)).toEqual([
    'Any accuracy',
    'Under 90%',
    '90 to 94%',
    '95% and over',
    'Too few words',
  ]);
  await user.click(screen.getByRole('checkbox', { name: 'Select Ada Baker' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Ben Crane' }));
  await user.selectOptions(filter, 'Under 90%');
  await waitFor(() => expect(listNames()).toEqual(['Ben Crane']));
  expect(screen.getByRole('checkbox', { name: 'Select Ben Crane' })).toHaveProperty('checked', true);

  await user.selectOptions(filter, 'Any accuracy');
  await waitFor(() => expect(listNames()).toEqual(['Ada Baker', 'Ben Crane', 'Cleo Dunn']));
  expect(screen.getByRole('checkbox', { name: 'Select Ada Baker' })).toHaveProperty('checked', false);
});

it('a link with a filter for accuracy shows those pupils alone', async () => {
  showReading('/classes/4?accuracy=few');
  await waitFor(() => expect(listNames()).toEqual(['Cleo Dunn']));
});

it('a filter for accuracy that no pupil matches says so, and “Show all pupils” clears it', async () => {
  const { user } = showReading('/classes/4?accuracy=90_to_94');
  await screen.findByText('No pupil matches');
  expect(screen.queryByText('No pupils in this class')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show all pupils' }));
  await waitFor(() => expect(listNames()).toHaveLength(3));
});

it('a user who may not see how a class reads has no filter for accuracy, not even by a link', async () => {
  showReading('/classes/4?accuracy=few', false);
  await screen.findByRole('checkbox', { name: 'Select Ada Baker' });
  expect(listNames()).toHaveLength(3);
  expect(screen.queryByLabelText('Accuracy, six weeks')).toBeNull();
});
