// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { makePupil, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import RenameForm from './RenameForm.tsx';

it('disables Save and marks the field while the name is invalid', async () => {
  signIn(makeUser());
  const { user, findByLabelText, getByRole } = renderInApp(
    <RenameForm pupil={makePupil()} onDone={vi.fn<() => void>()} />,
  );
  const field = await findByLabelText('Name');
  const isDisabled = () => getByRole('button', { name: 'Save' }).getAttribute('aria-disabled') === 'true';
  await user.clear(field);
  await user.type(field, 'R2 D2');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(isDisabled()).toBe(true);
  await user.clear(field);
  await user.type(field, 'Ada Byron');
  expect(field.getAttribute('aria-invalid')).not.toBe('true');
  expect(isDisabled()).toBe(false);
});
