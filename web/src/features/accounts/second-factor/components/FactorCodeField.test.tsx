// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { EitherCodeField } from './FactorCodeField.tsx';

it('a code of an app is typed in digits, and a button changes the field to a recovery code', async () => {
  const { user } = renderInApp(<EitherCodeField hasApp name="code" />, '/');
  expect(screen.getByLabelText<HTMLInputElement>('Code').inputMode).toBe('numeric');
  await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  expect(screen.getByLabelText<HTMLInputElement>('Recovery code').inputMode).toBe('text');
  await user.click(screen.getByRole('button', { name: 'Use your authenticator app' }));
  expect(screen.getByLabelText<HTMLInputElement>('Code').inputMode).toBe('numeric');
});

it('without an authenticator app only a recovery code can be typed', () => {
  renderInApp(<EitherCodeField hasApp={false} name="code" />, '/');
  expect(screen.getByLabelText<HTMLInputElement>('Recovery code').inputMode).toBe('text');
  expect(screen.queryByRole('button')).toBeNull();
});
