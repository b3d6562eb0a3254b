// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { SupportDetails } from './SupportDetails.tsx';

it.each([
  ['without a phone number', {}, 'Email', 0],
  ['with a phone number', { phone: '0161 496 0000' }, 'Call or email', 1],
])('the contact page names the ways to contact support %s', (_case, phone, heading, numbers) => {
  const page = renderInApp(<SupportDetails email="help@portal.example" {...phone} />);
  expect(page.getByRole('heading', { name: heading })).toBeTruthy();
  expect(page.queryAllByRole('link', { name: '0161 496 0000' })).toHaveLength(numbers);
  expect(page.getByRole('link', { name: 'help@portal.example' })).toBeTruthy();
});
