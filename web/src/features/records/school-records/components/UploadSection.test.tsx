// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import { UploadSection } from './UploadSection.tsx';

const SCHOOLS = [
  { source_id: 'org1', name: 'Larkfield Primary', pupils: 14 },
  { source_id: 'org2', name: 'Larkfield Nursery', pupils: 1 },
];

/** Uploads a file to a server that asks for the school. Returns what was sent for the school each time. */
async function upload(chosen: { source_id: string; name: string } | null, ignoresChoice = false) {
  signIn(makeUser());
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_url: string, { body }: RequestInit) => {
    if (!(body instanceof FormData)) return Promise.resolve(Response.json({}));
    const school = body.get('school');
    sent.push(school);
    return Promise.resolve(
      Response.json(school ? { run_id: 5, schools: SCHOOLS } : { run_id: null, schools: SCHOOLS }),
    );
  });
  const source = { id: 1, kind: 'oneroster', created_at: '', school: chosen, pupils: 1, classes: 1 } as const;
  const { user } = renderRoutes(
    [
      { path: '/school/records', element: <UploadSection source={source} /> },
      { path: '/school/records/:runId', element: <p>The plan</p> },
    ],
    '/school/records',
  );
  if (ignoresChoice) await user.click(await screen.findByRole('checkbox', { name: /Ask me again which school/ }));
  await user.upload(await screen.findByLabelText(/^Choose a file/), new File(['x'], 'two-sites.zip'));
  return { sent, user };
}

it('a file with pupils of two schools is sent again with the school that the user chooses', async () => {
  const { sent, user } = await upload(null);
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(screen.getByText('Choose a school.', { selector: '[id]' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Larkfield Nursery, 1 pupil' }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('The plan')).toBeTruthy();
  expect(sent).toEqual([null, 'org2']);
});

it('the school that was chosen before is named, and is chosen when the user wants to be asked again', async () => {
  const { sent } = await upload({ source_id: 'org2', name: 'Larkfield Nursery' }, true);
  const chosen = await screen.findByRole<HTMLInputElement>('radio', { name: 'Larkfield Nursery, 1 pupil' });
  expect(chosen.checked).toBe(true);
  expect(sent).toEqual(['']);
});
