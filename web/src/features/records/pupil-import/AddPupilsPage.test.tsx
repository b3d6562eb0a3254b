// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ImportPreview } from '#contract/calls/pupil-import.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeImportRow } from '../../../testing/make-import-row.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import { dismissToast, getToasts } from '../../../ui/toasts.ts';
import { storeNewLogins } from '../../school/login-cards/login-cards.public.ts';
import AddPupilsPage from './AddPupilsPage.tsx';

afterEach(() => {
  for (const { id } of getToasts()) dismissToast(id);
});

/** Renders the page in a tab that was loaded again while the download dialog was open. */
function openAgain(url: string, classId: number | null) {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ groups: [makeClass({ user_manages: true })] }),
    }),
  });
  storeNewLogins({
    userId: 3,
    at: Date.now(),
    links: { logins: 'https://portal.example/v1/files/t.pdf', spreadsheet: 'https://portal.example/v1/files/t.xlsx' },
    summary: '1 pupil created.',
    classId,
  });
  return renderRoutes(
    [
      { path: '/classes/:classId/add-readers', element: <AddPupilsPage /> },
      { path: '/school/add-readers', element: <AddPupilsPage /> },
      { path: '/classes/:id', element: <h1>The class</h1> },
      { path: '/pupils', element: <h1>All pupils</h1> },
    ],
    url,
  );
}

async function confirmDownload({ user }: ReturnType<typeof openAgain>): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: 'New logins' });
  await user.click(within(dialog).getByLabelText('I have downloaded the files'));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
}

it.each([
  ['class', '/classes/4/add-readers', 4, 'The class', 'The pupils have been added to the class'],
  ['school', '/school/add-readers', null, 'All pupils', 'The pupils have been added to the school'],
] as const)(
  'after a reload, confirming the download on the page of the %s confirms the pupils and shows them',
  async (_page, url, classId, heading, message) => {
    await confirmDownload(openAgain(url, classId));
    await screen.findByRole('heading', { name: heading });
    expect(screen.getByText(message)).toBeTruthy();
    expect(localStorage.getItem('portal.new-logins')).toBeNull();
  },
);

/** The preview of one new pupil. */
const PREVIEW: ImportPreview = {
  understood: { format: 'rows', layout: null, layouts: [], sheets: [], questions: [], tags: [] },
  rows: [makeImportRow(1, 'Ada Byron')],
  counts: { new: 1, already: 0, moved: 0, archived: 0, duplicate: 0, wrong: 0 },
  new_classes: [],
  capacity: { max_readers: null, used: 0, left: null },
  fits: true,
};

it.each([
  ['the page of the school adds them to the class that is chosen', '/school/add-readers', '3 Badgers'],
  ['the page of a class adds them to this class', '/classes/4/add-readers', null],
] as const)('names are typed, and %s', async (_what, url, choice) => {
  signIn(makeUser());
  const classes = [makeClass({ user_manages: true }), makeClass({ id: 5, name: '4 Owls' })];
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ groups: classes }) }),
    'POST /v1/enterprises/7/readers/preview': () => PREVIEW,
  });
  const { user } = renderRoutes(
    ['/school/add-readers', '/classes/:classId/add-readers'].map((path) => ({ path, element: <AddPupilsPage /> })),
    url,
  );
  await user.type(await screen.findByLabelText('Name of pupil 1'), 'Ada Byron');
  const list = screen.queryByLabelText<HTMLSelectElement>('Class (optional)');
  expect([...(list?.options ?? [])].slice(1).map(({ text }) => text)).toEqual(choice ? [choice] : []);
  if (choice) await user.selectOptions(list!, choice);
  await user.click(screen.getByRole('button', { name: 'Check the names' }));
  await user.click(await screen.findByRole('button', { name: 'Add 1 pupil' }));
  await waitFor(() =>
    expect(sent['POST /v1/enterprises/7/groups/4/readers']).toMatchObject([
      { readers: { existing: [], new: [{ name: 'Ada Byron' }] } },
    ]),
  );
});

it('pupils of a class who are confirmed on the page of the school lead to the page of their class', async () => {
  await confirmDownload(openAgain('/school/add-readers', 4));
  await screen.findByRole('heading', { name: 'The class' });
  expect(screen.getByText('The pupils have been added to the class')).toBeTruthy();
});

it('Add Pupils offers the names that the user had typed when their session ended', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const draft = { userId: 3, schoolId: 7, at: Date.now(), values: ['Ada Byron', '', ''] };
  sessionStorage.setItem('portal.private.draft / names', JSON.stringify(draft));
  const { user } = renderRoutes([{ path: '/school/add-readers', element: <AddPupilsPage /> }], '/school/add-readers');
  await user.click(await screen.findByRole('button', { name: 'Use it' }));
  expect(screen.getByLabelText('Name of pupil 1')).toHaveProperty('value', 'Ada Byron');
  expect(sessionStorage.getItem('portal.private.draft / names')).toBeNull();
});

const PREVIEW_CALL = 'POST /v1/enterprises/7/readers/preview';

/** Opens the page. The preview of the list fails, so that the page shows what was typed. */
function addPupils() {
  signIn(makeUser());
  const sent = fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  return {
    ...renderRoutes([{ path: '/school/add-readers', element: <AddPupilsPage /> }], '/school/add-readers'),
    sent,
  };
}

it('Add Pupils requires the name of the first pupil, and leaves out rows without a name', async () => {
  const { user, sent } = addPupils();
  const nameOf = (row: number) => screen.findByLabelText(`Name of pupil ${row}`);
  await user.type(await nameOf(3), 'Ben Carr');
  await user.click(screen.getByRole('button', { name: 'Check the names' }));
  await waitFor(async () => expect((await nameOf(1)).getAttribute('aria-invalid')).toBe('true'));
  expect(screen.getAllByText("Enter the pupil's name.")).not.toHaveLength(0);
  expect(sent[PREVIEW_CALL]).toBeUndefined();
  await user.type(await nameOf(1), 'Ada Byron');
  await user.type(await nameOf(2), '  ');
  await user.click(screen.getByRole('button', { name: 'Check the names' }));
  await waitFor(() => expect(sent[PREVIEW_CALL]).toHaveLength(1));
  expect(sent[PREVIEW_CALL]?.[0]).toMatchObject({ readers: [{ name: 'Ada Byron' }, { name: 'Ben Carr' }] });
});

it('Add Pupils takes a list in any format that is read, also without an ending, and names the formats', async () => {
  const { container, sent } = addPupils();
  await screen.findByText('Choose a spreadsheet');
  const choose = (name: string) =>
    fireEvent.change(container.querySelector('input[type=file]')!, { target: { files: [new File(['a'], name)] } });
  choose('pupils.pdf');
  expect(await screen.findByText(/^pupils\.pdf is not a CSV, TSV, TXT, XLS, XLSX or ODS file/)).toBeTruthy();
  expect(sent[PREVIEW_CALL]).toBeUndefined();
  for (const [index, name] of [
    'pupils.csv',
    'pupils.xls',
    'pupils.XLSX',
    'pupils.ods',
    'Class list 12.09.26',
  ].entries()) {
    choose(name);
    await waitFor(() => expect(sent[PREVIEW_CALL]).toHaveLength(index + 1));
    await waitFor(() => expect(container.querySelector('input[type=file]')).toHaveProperty('disabled', false));
  }
});
