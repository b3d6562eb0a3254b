// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeClass, makePupil, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { AddExistingDialog } from './AddExistingDialog.tsx';

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows the dialog. The school has one pupil, who has just been removed from the class. */
function showDialog() {
  signIn(makeUser());
  const searched: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'http://portal');
    const text = searchParams.get('search[value]');
    searched.push(text ?? `groups=${searchParams.get('groups')}`);
    const found = 'ada baker'.includes(text ?? '') ? [makePupil()] : [];
    const total = found.length;
    return Response.json({ readers: found, meta: { total: 1, total_filtered: total, page: 1, per_page: 50 } });
  });
  const page = renderInApp(
    <AddExistingDialog schoolClass={makeClass({ user_manages: true })} isOpen onClose={() => undefined} />,
  );
  return { ...page, searched };
}

it('the dialog to add existing pupils offers those without a class before any search', async () => {
  const { searched } = showDialog();
  expect(await screen.findByRole('checkbox', { name: 'Ada Baker' })).toHaveProperty('disabled', false);
  expect(new Set(searched)).toEqual(new Set(['groups=none']));
});

it('the search for existing pupils needs 2 characters, waits 500 ms and requests 50 results', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  signIn(makeUser());
  const searches: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'https://portal.example');
    if (searchParams.has('search[value]')) searches.push(searchParams.toString());
    return Response.json({
      readers: searchParams.get('search[value]') === 'ad' ? [makePupil()] : [],
      meta: { total: 1, total_filtered: 1, page: 1, per_page: 50 },
    });
  });
  renderInApp(<AddExistingDialog schoolClass={makeClass()} isOpen onClose={() => undefined} />);
  await advance(1000);
  const type = (value: string) => fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
  type('a');
  await advance(1000);
  expect(screen.getByText('Please enter at least 2 characters.')).toBeTruthy();
  expect(searches).toEqual([]);

  type('ad');
  await advance(499);
  expect(searches).toEqual([]);
  await advance(1);
  await advance(100);
  expect(searches).toEqual([new URLSearchParams({ 'search[value]': 'ad', length: '50' }).toString()]);
  expect(screen.getByRole('checkbox', { name: 'Ada Baker' })).toBeTruthy();

  type('zz');
  await advance(500);
  await advance(100);
  expect(screen.getByText('No pupils found. Please check you have entered their name correctly.')).toBeTruthy();
});

it('a teacher moves a pupil of a class that they cover from it, and cannot choose one of another class', async () => {
  signIn(
    makeUser({
      enterprise_user_role: 'teacher',
      role: 'teacher',
      covers: [{ group_id: 5, ends_at: '2099-11-27T15:30:00.000Z' }],
    }),
  );
  const inClass = (id: number, name: string, schoolClass: { id: number; name: string } | null) =>
    makePupil({ id, name, group: schoolClass, can_update: schoolClass === null });
  const listed = { page: 1, per_page: 50, total: 3, total_filtered: 3 };
  const sent = fakeApi({
    'GET /v1/enterprises/7/readers?page=1&per_page=50&groups=none': () => ({
      readers: [
        inClass(5, 'Ada Baker', null),
        inClass(6, 'Ben Crane', { id: 5, name: '4 Owls' }),
        inClass(7, 'Cleo Hart', { id: 6, name: '5 Otters' }),
      ],
      meta: listed,
    }),
    'POST /v1/enterprises/7/groups/4/readers': () => ({ readers: [] }),
  });
  const { user } = renderInApp(
    <AddExistingDialog schoolClass={makeClass({ user_manages: true })} isOpen onClose={() => undefined} />,
  );
  await user.click(await screen.findByRole('checkbox', { name: 'Ada Baker' }));
  await user.click(screen.getByRole('checkbox', { name: 'Ben Crane' }));
  expect(screen.getByRole('checkbox', { name: 'Cleo Hart' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: 'Add 2 pupils' }));
  await screen.findByText('The pupils have been added to the class');
  expect(sent['POST /v1/enterprises/7/groups/4/readers']).toEqual([{ readers: { existing: [5, 6], new: [] } }]);
});
