// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ASSIGNABLE_ROLES, ROLE_TEXTS, toSpecifiedRole } from '#contract/permissions.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeCover, makeSupplyCard } from '../../../../testing/make-cover.ts';
import { makeClass, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { CoverDialog } from './CoverDialog.tsx';

/** A member of staff in each role, named after the role: IDs from 11. Tom Finch, a teacher, teaches the class. */
const STAFF = ASSIGNABLE_ROLES.map((role, index) => ({
  id: 11 + index,
  first_name: 'The',
  last_name: ROLE_TEXTS[role].name,
  email: `${role}@school.example`,
  enterprise_user_role: toSpecifiedRole(role),
  role,
  user_manages: false,
}));
const TOM = { ...STAFF[1]!, id: 8, first_name: 'Tom', last_name: 'Finch' };

const START = 'POST /v1/enterprises/7/covers';
const CARD = 'POST /v1/enterprises/7/covers/35/card';

function Page() {
  const [isOpen, setOpen] = useState(true);
  const schoolClass = makeClass({ user_manages: true, teachers: [TOM] });
  return (
    <>
      <h1>3 Badgers</h1>
      <CoverDialog schoolClass={schoolClass} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

async function openDialog(replies: Parameters<typeof fakeApi>[0], users = [...STAFF, TOM]) {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ users }) }),
    'GET /v1/enterprises/7/covers': () => ({ covers: [] }),
    ...replies,
  });
  const page = renderInApp(<Page />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Let someone cover 3 Badgers' }));
  return { ...page, sent, dialog };
}

const start = (dialog: ReturnType<typeof within>) => dialog.getByRole('button', { name: 'Start cover' });
const valuesOf = (field: HTMLElement) => [field.getAttribute('aria-invalid'), field.getAttribute('aria-describedby')];

it('the colleagues who can cover a class are those with classes who cannot change it: no admins and none of its teachers', async () => {
  const { dialog } = await openDialog({});
  await waitFor(() =>
    expect(
      within(dialog.getByRole('combobox', { name: 'Colleague' }))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual([
      'Choose a colleague',
      'The Teacher',
      'The Reading lead or SENCO',
      'The Teaching assistant (teaching assistant)',
    ]),
  );
});

it('a cover by a colleague starts with the chosen end, and the dialog closes', async () => {
  const cover = makeCover({ is_supply: false, code: null });
  const { dialog, user, sent } = await openDialog({ [START]: () => ({ cover }) });
  await user.selectOptions(await dialog.findByRole('combobox', { name: 'Colleague' }), '12');
  const ends = dialog.getAllByRole('radio').filter((radio) => radio.getAttribute('name') === 'ends_at');
  const end = ends.at(-2)!;
  await user.click(end);
  await user.click(start(dialog));
  await screen.findByText('Priya Shah covers 3 Badgers until Friday 27 November at 15:30');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent[START]).toEqual([{ group_id: 4, user_id: 12, ends_at: end.getAttribute('value') }]);
});

it('another day and time is sent as the moment on the school’s clock', async () => {
  const cover = makeCover({ is_supply: false, code: null });
  const { dialog, user, sent } = await openDialog({ [START]: () => ({ cover }) });
  await user.selectOptions(await dialog.findByRole('combobox', { name: 'Colleague' }), '12');
  await user.click(dialog.getByRole('radio', { name: 'Another day and time' }));
  await user.click(start(dialog));
  expect(valuesOf(dialog.getByLabelText('Day'))).toEqual(['true', 'cover-day-error']);
  expect(sent[START]).toBeUndefined();
  await user.type(dialog.getByLabelText('Day'), '2026-07-01');
  await user.clear(dialog.getByLabelText('Time'));
  await user.type(dialog.getByLabelText('Time'), '12:00');
  await user.click(start(dialog));
  await waitFor(() => expect(sent[START]).toEqual([{ group_id: 4, user_id: 12, ends_at: '2026-07-01T11:00:00.000Z' }]));
});

it('after a supply teacher’s cover has started the dialog shows their card, with the focus on Print', async () => {
  const { dialog, user, sent } = await openDialog({
    [START]: () => ({ cover: makeCover() }),
    [CARD]: () => ({ card: makeSupplyCard() }),
  });
  await user.click(await dialog.findByRole('radio', { name: 'A supply teacher' }));
  await user.click(start(dialog));
  for (const label of ['First name', 'Last name'])
    expect(dialog.getByLabelText(label).getAttribute('aria-invalid')).toBe('true');
  expect(sent[START]).toBeUndefined();
  await user.type(dialog.getByLabelText('First name'), 'Priya');
  await user.type(dialog.getByLabelText('Last name'), 'Shah');
  await user.click(start(dialog));
  const shown = within(await screen.findByRole('dialog', { name: 'Card for Priya Shah' }));
  expect(shown.getByRole('article', { name: 'Card for Priya Shah' }).textContent).toContain('K7PM3XQR9DTW');
  expect(document.activeElement).toBe(shown.getByRole('button', { name: 'Print' }));
  expect(sent[START]).toMatchObject([{ group_id: 4, first_name: 'Priya', last_name: 'Shah' }]);
  expect(sent[START]?.[0]).not.toHaveProperty('user_id');
});

it('a card that cannot be made after the start is explained, and can be made again without a second cover', async () => {
  let tries = 0;
  const { dialog, user, sent } = await openDialog({
    [START]: () => ({ cover: makeCover() }),
    [CARD]: () =>
      (tries += 1) === 1 ? rejectWith(409, { error: 'Later.', error_type: 'conflict' }) : { card: makeSupplyCard() },
  });
  await user.click(await dialog.findByRole('radio', { name: 'A supply teacher' }));
  await user.type(dialog.getByLabelText('First name'), 'Priya');
  await user.type(dialog.getByLabelText('Last name'), 'Shah');
  await user.click(start(dialog));
  await screen.findByText(/The cover goes on, but there is no card yet\./);
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('article', { name: 'Card for Priya Shah' });
  expect(sent[START]).toHaveLength(1);
});

it('errors of the API are shown at their fields, and a conflict above the form', async () => {
  const replies = [
    rejectWith(422, {
      error: 'Invalid',
      error_type: 'validation',
      errors: { ends_at: ['A cover lasts at most 31 days.'], last_name: ['The last name is one line.'] },
    }),
    rejectWith(409, {
      error: 'At most 5 people can cover a class at once. End a cover first.',
      error_type: 'conflict',
    }),
  ];
  // Without a colleague to choose the form is for a supply teacher.
  const { dialog, user } = await openDialog({ [START]: () => replies.shift()! }, [TOM]);
  await user.type(await dialog.findByLabelText('First name'), 'Priya');
  await user.type(dialog.getByLabelText('Last name'), 'Shah');
  expect(dialog.queryByRole('radio', { name: 'A colleague' })).toBeNull();
  await user.click(start(dialog));
  await waitFor(() => expect(valuesOf(dialog.getByLabelText('Last name'))).toEqual(['true', 'cover-last_name-error']));
  const ends = dialog.getByRole('radiogroup', { name: 'Until' });
  expect(document.getElementById(ends.getAttribute('aria-describedby')!)?.textContent).toBe(
    'A cover lasts at most 31 days.',
  );
  await user.type(dialog.getByLabelText('Last name'), '-Jones');
  await user.click(dialog.getAllByRole('radio').at(-2)!);
  await user.click(start(dialog));
  await dialog.findByText('At most 5 people can cover a class at once. End a cover first.');
});
