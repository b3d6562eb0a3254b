// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { PupilNotes } from './PupilNotes.tsx';

const makeNote = (id: number, author: string | null) => ({
  id,
  text: `Note ${id}`,
  written_by: 100 + id,
  author,
  written_at: '2026-11-20T09:00:00.000Z',
  can_remove: true,
});

it('names the author of a note, also one who has left, until they are erased', async () => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/readers/5/notes': () => ({ notes: [makeNote(1, 'Priya Shah'), makeNote(2, null)] }),
  });
  const { user } = renderInApp(<PupilNotes pupil={{ id: 5, name: 'Ada Baker' }} />, '/pupils/5');
  const notes = await screen.findAllByRole('listitem');
  expect(notes.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Priya Shah, 20 November 2026'),
    expect.stringContaining('A former member of staff, 20 November 2026'),
  ]);
  await user.click(screen.getAllByRole('button', { name: /^Remove/ })[0] as HTMLElement);
  expect(await screen.findByText('It was written by Priya Shah. You cannot undo this.')).toBeTruthy();
});
