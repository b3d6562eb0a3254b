// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makePupil, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { TagDialog } from './TagDialog.tsx';

const SAVE = 'POST /v1/enterprises/7/readers/tags';

it('the dialog for tags sends only what changes for each pupil, and undoes exactly that', async () => {
  signIn(makeUser());
  const ownTag = { kind: 'own' as const, purpose: null };
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/tags': () => ({
      tags: [
        { ...ownTag, id: 1, name: 'Choir', reader_ids: [11] },
        { ...ownTag, id: 2, name: 'Chess', reader_ids: [11, 12] },
        { ...ownTag, id: 3, name: 'Garden', reader_ids: [12] },
      ],
    }),
    [SAVE]: () => ({}),
  });
  const pupils = [makePupil({ id: 11 }), makePupil({ id: 12, name: 'Ben Carr' })];
  const { user } = renderInApp(<TagDialog pupils={pupils} isOpen onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Tags of 2 pupils' }));
  const box = async (name: string) => (await dialog.findByRole('checkbox', { name })) as HTMLInputElement;
  expect((await box('Chess')).checked).toBe(true);
  expect((await box('Garden')).indeterminate).toBe(true);
  await user.click(await box('Choir'));
  await user.click(await box('Chess'));
  await user.click(dialog.getByRole('button', { name: 'Save tags' }));
  const changes = [
    { tag_id: 1, add: [12], remove: [] },
    { tag_id: 2, add: [], remove: [11, 12] },
  ];
  await waitFor(() => expect(sent[SAVE]).toEqual([{ changes }]));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(sent[SAVE]?.[1]).toEqual({
      changes: changes.map(({ add, remove, ...tag }) => ({ ...tag, add: remove, remove: add })),
    }),
  );
});
