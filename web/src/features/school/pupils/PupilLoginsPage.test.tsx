// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { isForbidden } from '../../../testing/forbidden-calls.ts';
import { makePupil, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import PupilLoginsPage from './PupilLoginsPage.tsx';

/** Shows the logins of a pupil in a class that the user cannot change. Returns the requests. */
async function showLogins(role: 'teacher' | 'reading_lead' | 'teaching_assistant') {
  signIn(makeUser({ enterprise_user_role: 'teacher', role }));
  const meta = { total: 1, total_filtered: 1, page: 1, per_page: 50 };
  const pupil = makePupil({ can_update: false, group: { id: 4, name: '3 Badgers' } });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: false }) }),
    'GET /v1/enterprises/7/readers/logins?page=1&per_page=50': () => ({ readers: [pupil], meta }),
  });
  const { user } = renderInApp(<PupilLoginsPage />, '/pupils/logins');
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Baker' }));
  return { sent, reset: await screen.findByRole('button', { name: 'Reset Passwords' }) };
}

it('a teaching assistant can reset the passwords of the pupils in the classes they help in', async () => {
  const { sent, reset } = await showLogins('teaching_assistant');
  expect(reset.getAttribute('aria-disabled')).toBeNull();
  screen.getByText('Reset the passwords of the pupils in the classes you help in.');
  screen.getByLabelText('Actions for Ada Baker');
  expect(Object.keys(sent).filter((name) => isForbidden('teaching_assistant', name))).toEqual([]);
});

it.each(['teacher', 'reading_lead'] as const)(
  'the role %s cannot reset the password of a pupil in another teacher’s class',
  async (role) => {
    const { reset } = await showLogins(role);
    expect(reset.getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByLabelText('Actions for Ada Baker')).toBeNull();
  },
);
