// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import { EnquiryForm } from './EnquiryForm.tsx';

const open = (url: string) => {
  signIn(makeUser());
  renderRoutes([{ path: '/contact', Component: EnquiryForm }], url);
  return screen.findByLabelText<HTMLTextAreaElement>('Message');
};

it('a link to the form can begin its message', async () => {
  const field = await open(`/contact#message=${encodeURIComponent('Our list & what “it” says')}`);
  await waitFor(() => expect(field.value).toBe('Our list & what “it” says'));
});

it('a link that is cut off opens an empty form', async () => {
  const field = await open('/contact#message=Our%20list%E0');
  expect(field.value).toBe('');
});
