// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterAll, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { LogInAsDialog } from './LogInAsDialog.tsx';

const MINT = 'POST /v1/admin/impersonations';
const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
afterAll(() => assign.mockRestore());

it('an operator logs in as a person in the school whose page is open, with a reason', async () => {
  signIn(makeUser({ is_operator: true }));
  const sent = fakeApi({ [MINT]: () => ({ code: 'c0de' }) });
  const person = { id: 5, first_name: 'Ivy', last_name: 'Wren' } as never;
  const school = { id: 8, name: 'Elm Street' };
  const { user } = renderInApp(<LogInAsDialog person={person} school={school} onClose={() => undefined} />);
  await user.type(await screen.findByLabelText('Reason'), 'Request 12');
  await user.click(screen.getByRole('button', { name: 'Log in as Ivy Wren' }));
  await waitFor(() => expect(assign.mock.calls).toEqual([['/token/c0de']]));
  expect(sent[MINT]).toEqual([{ user_id: 5, enterprise_id: 8, reason: 'Request 12' }]);
});
