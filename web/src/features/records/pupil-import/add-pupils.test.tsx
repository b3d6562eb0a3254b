// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import type { BodyInputOf, ReplyOf } from '#contract/call.ts';
import type { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeImportRow } from '../../../testing/make-import-row.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import { getToasts } from '../../../ui/toasts.ts';
import { storeNewLogins } from '../../school/login-cards/login-cards.public.ts';
import AddPupilsPage from './AddPupilsPage.tsx';

afterEach(() => storeNewLogins(null));

const NAMES = ['Penny Lane', 'Ella Stone'];

/** Every name of a request or a file is new. */
const preview = (body: unknown): ReplyOf<typeof pupilImportCalls.previewPupils> => {
  const rows = (body as BodyInputOf<typeof pupilImportCalls.previewPupils> | null)?.readers;
  return {
    understood: {
      format: rows ? 'rows' : 'csv',
      layout: rows ? null : 'table',
      layouts: [],
      sheets: [],
      questions: [],
      tags: [],
    },
    rows: (rows?.map(({ name }) => name) ?? NAMES).map((name, index) => makeImportRow(index + 1, name)),
    counts: { new: 2, already: 0, moved: 0, archived: 0, duplicate: 0, wrong: 0 },
    capacity: { max_readers: null, used: 0, left: null },
    new_classes: [],
    fits: true,
  };
};

const created = (): ReplyOf<typeof pupilImportCalls.createPupils> => ({
  run_id: 9,
  links: { logins: 'https://portal.example/v1/files/t.pdf', spreadsheet: 'https://portal.example/v1/files/t.xlsx' },
  readers: [],
  meta: { created: 2, already: 0, duplicates: 0, classes_created: [], moved: 0 },
});

function open(url: string, replies: Parameters<typeof fakeApi>[0] = {}) {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ groups: [makeClass({ user_manages: true })] }),
    }),
    'POST /v1/enterprises/7/readers/preview': preview,
    'POST /v1/enterprises/7/readers': created,
    'POST /v1/enterprises/7/groups/4/readers': created,
    ...replies,
  });
  const routes = ['/school/add-readers', '/classes/:classId/add-readers', '/pupils'];
  return {
    sent,
    ...renderRoutes(
      routes.map((path) => ({ path, element: <AddPupilsPage /> })),
      url,
    ),
  };
}

const ways: [string, (user: UserEvent) => Promise<void>][] = [
  [
    'typed in rows',
    async (user) => {
      for (const [index, name] of NAMES.entries())
        await user.type(await screen.findByLabelText(`Name of pupil ${index + 1}`), name);
      await user.click(screen.getByRole('button', { name: 'Check the names' }));
    },
  ],
  [
    'of an uploaded file',
    async (user) => {
      const field = (await screen.findByText('Choose a spreadsheet')).closest('label')!.parentElement!;
      const file = new File(['Penny Lane\nElla Stone\n'], 'pupils.csv', { type: 'text/csv' });
      await user.upload(field.querySelector('input[type=file]')!, file);
    },
  ],
];

it.each(ways)(
  'pupils %s are added to the school or a class, and a dialog offers Logins and Spreadsheet',
  async (_how, gather) => {
    for (const [url, call] of [
      ['/school/add-readers', '/v1/enterprises/7/readers'],
      ['/classes/4/add-readers', '/v1/enterprises/7/groups/4/readers'],
    ] as const) {
      const { sent, user, unmount } = open(url);
      await gather(user);
      await user.click(await screen.findByRole('button', { name: 'Add 2 pupils' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'New logins' }));
      for (const name of ['Logins', 'Spreadsheet']) expect(dialog.getByRole('button', { name })).toBeTruthy();
      await waitFor(() => expect(JSON.stringify(sent[`POST ${call}`])).toContain('"name":"Penny Lane"'));
      expect(JSON.stringify(sent[`POST ${call}`])).toContain('"name":"Ella Stone"');
      unmount();
      storeNewLogins(null);
    }
  },
);

it('confirming a list of known pupils updates their year groups, and leaves out those whom the user may not change', async () => {
  const known = (canUpdate: boolean) => ({ id: 9, name: 'x', group: null, can_update: canUpdate, is_archived: false });
  const rows = [
    makeImportRow(1, 'Penny Lane', { status: 'already', year_group: '3', existing: known(true) }),
    makeImportRow(2, 'Ella Stone', { status: 'already', year_group: '3', existing: known(false) }),
    makeImportRow(3, 'Tom Price', { status: 'already', existing: known(true) }),
  ];
  const { sent, user } = open('/school/add-readers', {
    'POST /v1/enterprises/7/readers/preview': () => ({ ...preview(null), rows }),
    'POST /v1/enterprises/7/readers': () => ({
      ...created(),
      links: null,
      meta: { ...created().meta, created: 0, already: 1 },
    }),
  });
  await ways[1]![1](user);
  await user.click(await screen.findByRole('button', { name: 'Update year groups' }));
  await waitFor(() =>
    expect(sent['POST /v1/enterprises/7/readers']).toEqual([
      { readers: [{ name: 'Penny Lane', year_group: '3', existing_id: 9 }], columns: [], title: 'pupils.csv' },
    ]),
  );
  await waitFor(() => expect(getToasts().map(({ text }) => text)).toContain('The year groups have been updated'));
});

it('a list that the server rejects is checked again, and shows who is new now', async () => {
  const existing = { id: 9, name: 'Penny Lane', group: null, can_update: true, is_archived: false };
  const known = makeImportRow(1, 'Penny Lane', { status: 'already', year_group: '3', existing });
  const { user } = open('/school/add-readers', {
    'POST /v1/enterprises/7/readers/preview': (body) => ({ ...preview(body), ...(body === null && { rows: [known] }) }),
    'POST /v1/enterprises/7/readers': () =>
      rejectWith(422, { error: 'Penny Lane is gone. No pupils were added.', error_type: 'validation' }),
  });
  await ways[1]![1](user);
  await user.click(await screen.findByRole('button', { name: 'Update year groups' }));
  expect(await screen.findByText('Penny Lane is gone. No pupils were added.')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Add 1 pupil' })).toBeTruthy();
});
