// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { ContactRequestForm } from './ContactRequestForm.tsx';

const SEND = 'POST /v1/contactus/subscriptions/start';

it('a contact request offers calls from 9 am to 12 noon and from 1 to 6 pm, at 10 am unless another hour is chosen', async () => {
  renderInApp(<ContactRequestForm action="start" />);
  const time = screen.getByLabelText<HTMLSelectElement>('Time (in London)');
  expect([...time.options].map(({ text }) => text)).toEqual([
    '9 am',
    '10 am',
    '11 am',
    '12 noon',
    '1 pm',
    '2 pm',
    '3 pm',
    '4 pm',
    '5 pm',
    '6 pm',
  ]);
  expect(time.selectedOptions[0]?.text).toBe('10 am');
});

it('a contact request requires a contact number, an email and a preference, and sends them with the time', async () => {
  const sent = fakeApi({ [SEND]: () => ({}) });
  const { user } = renderInApp(<ContactRequestForm action="start" />);
  await user.click(screen.getByRole('button', { name: 'Send request' }));
  for (const text of ['Enter the contact number.', 'Enter an email address.', 'Choose phone or email.'])
    expect(await screen.findByRole('link', { name: text })).toBeTruthy();
  expect(sent[SEND]).toBeUndefined();
  await user.type(screen.getByLabelText('Contact number'), '020 7946 0000');
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'head@school.example');
  await user.click(screen.getByRole('radio', { name: 'Phone' }));
  await user.click(screen.getByRole('button', { name: 'Send request' }));
  await screen.findByText(/we've received your request/);
  expect(sent[SEND]).toEqual([
    { time: 10, contact_number: '020 7946 0000', email: 'head@school.example', contact_preference: 'phone' },
  ]);
});
