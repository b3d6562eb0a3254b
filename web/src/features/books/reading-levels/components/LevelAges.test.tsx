// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { YearGroup } from '#contract/year-group.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { BookBand } from './BookBand.tsx';
import { LevelAges } from './LevelAges.tsx';

/** Shows level 3, and what the page states about it for a year group. */
async function show(yearGroup: YearGroup | null, from: number | null, to: number | null) {
  signIn(makeUser());
  const levels = [{ level: 3, book_band: 'Orange', from_age: from, to_age: to }];
  fakeApi({ 'GET /v1/enterprises/7/reading-levels': () => ({ levels }) });
  const view = renderInApp(
    <>
      <p>
        Level 3<BookBand level={3} />
      </p>
      <LevelAges level={3} yearGroup={yearGroup} />
    </>,
  );
  await screen.findByText('Orange', { exact: false, selector: 'p > span' });
  return view;
}

it.each([
  ['4', 6, 7, 'Level 3 (Orange) is for ages 6 to 7: below Year 4.'],
  ['3', 6, 7, 'Level 3 (Orange) is for ages 6 to 7: the age of Year 3.'],
  ['R', 6, 6, 'Level 3 (Orange) is for age 6: above Reception.'],
] as const)('compares the level of a pupil in year group %s with ages %i to %i', async (code, from, to, text) => {
  await show(code, from, to);
  expect(await screen.findByText(text)).toBeTruthy();
});

it('the definition of the ages of a level is one click away', async () => {
  const { user } = await show('4', 6, 7);
  await user.click(screen.getByLabelText('About the ages of a level'));
  expect(screen.getByRole('note').textContent).toContain('1 September');
});

it.each([
  ['4', null],
  [null, 6],
  ['M', 6],
] as const)('compares nothing for the year group %j and the ages from %j', async (code, age) => {
  await show(code, age, age);
  expect(screen.queryByText(/is for age/)).toBeNull();
});

it('neither the book band nor the ages are printed, because parents may see the paper', async () => {
  await show('4', 6, 7);
  for (const shown of [
    screen.getByText('Orange', { exact: false, selector: 'p > span' }),
    screen.getByText(/is for ages/),
  ])
    expect(shown.closest('.no-print')).not.toBeNull();
});
