// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { renderInApp } from '../../../../testing/render-in-app.tsx';
import { InvoiceStatus } from './InvoiceStatus.tsx';

it.each([
  ['open', 'unpaid', 'attention'],
  ['paid', 'paid', 'success'],
  ['uncollectible', 'uncollectible', 'danger'],
  ['credited', 'credited', 'neutral'],
] as const)('labels an invoice that is %s as “%s” in the tone %s', (status, text, tone) => {
  const { getByText } = renderInApp(<InvoiceStatus status={status} />);
  expect(getByText(text).dataset.tone).toBe(tone);
});
