// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { makeClass, makePupil, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { AddExistingDialog } from './AddExistingDialog.tsx';

const SHORT = 'Please enter at least 2 characters.';
const NONE = 'No pupils found. Please check you have entered their name correctly.';

/** Shows the dialog. The school has one pupil, who has just been removed from the class. */
function showDialog() {
  signIn(makeUser());
  const searched: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'http://portal');
    const text = searchParams.get('search[value]');
    searched.push(text ?? `groups=${searchParams.get('groups')}`);
    const readers = 'ada baker'.includes(text ?? '') ? [makePupil()] : [];
    const total = readers.length;
    return Response.json({ readers, meta: { total: 1, total_filtered: total, page: 1, per_page: 50 } });
  });
  const page = renderInApp(
    <AddExistingDialog schoolClass={makeClass({ user_manages: true })} isOpen onClose={() => undefined} />,
  );
  return { ...page, searched };
}

it('finds pupils of the school by at least 2 characters', async () => {
  const { user, searched } = showDialog();
  const search = await screen.findByRole('searchbox');
  await user.type(search, 'a');
  await screen.findByText(SHORT);
  await user.type(search, 'd');
  await screen.findByRole('checkbox', { name: 'Ada Baker' });
  await waitFor(() => expect(screen.queryByText(SHORT)).toBeNull());
  await waitFor(() => expect(searched).toContain('ad'));
  expect(searched).not.toContain('a');
  await user.type(search, 'x');
  await screen.findByText(NONE);
});

it('offers the pupils without a class before any search', async () => {
  const { searched } = showDialog();
  expect(await screen.findByRole('checkbox', { name: 'Ada Baker' })).toHaveProperty('disabled', false);
  expect(new Set(searched)).toEqual(new Set(['groups=none']));
});
