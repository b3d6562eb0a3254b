// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ReadingLevel } from '#contract/reading-levels.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import AdminLevelsPage from './AdminLevelsPage.tsx';

const SET = 'POST /v1/admin/reading-levels/3';

/** Shows level 3 and opens its form. */
async function openForm() {
  signIn(makeUser({ is_operator: true }));
  let levels: ReadingLevel[] = [{ level: 3, book_band: 'Orange', from_age: null, to_age: null }];
  const sent = fakeApi({
    'GET /v1/admin/reading-levels': () => ({ levels }),
    [SET]: (body) => {
      levels = [{ level: 3, ...(body as Omit<ReadingLevel, 'level'>) }];
      return { levels };
    },
  });
  const { user } = renderInApp(<AdminLevelsPage />, '/admin/levels');
  await user.click(await screen.findByRole('button', { name: 'Change level 3' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change level 3' }));
  const save = () => user.click(dialog.getByRole('button', { name: 'Save' }));
  return { user, dialog, sent, save };
}

it('an operator enters the ages of a level, which the list then shows', async () => {
  const { user, dialog, sent, save } = await openForm();
  expect(screen.getByText('Not entered')).toBeTruthy();
  await user.type(dialog.getByLabelText('From age'), '6');
  await user.type(dialog.getByLabelText('To age'), '7');
  await save();
  await screen.findByText('6 to 7');
  expect(sent[SET]).toEqual([{ book_band: 'Orange', from_age: 6, to_age: 7 }]);
});

it('one age without the other is an error, and empty ages remove both', async () => {
  const { user, dialog, sent, save } = await openForm();
  await user.type(dialog.getByLabelText('From age'), '6');
  await save();
  expect((await dialog.findAllByText('Enter both ages or neither.')).length).toBeGreaterThan(0);
  expect(sent[SET]).toBeUndefined();
  await user.clear(dialog.getByLabelText('From age'));
  await save();
  await screen.findByText('Level saved');
  expect(sent[SET]).toEqual([{ book_band: 'Orange', from_age: null, to_age: null }]);
});
