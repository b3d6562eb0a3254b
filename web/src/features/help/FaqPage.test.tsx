// @vitest-environment happy-dom
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderRoutes } from '../../testing/render-in-app.tsx';
import FaqPage from './FaqPage.tsx';
import { faqs } from './model/help.ts';

const routes = [
  { path: '/faq', Component: FaqPage },
  { path: '/faq/:faqId', Component: FaqPage },
];

it.each([
  ['/faq', 'FAQs'],
  [`/faq/${faqs[0]?.id}`, faqs[0]?.title ?? ''],
  ['/faq/4000', 'Question not found'],
])('has a title of its own at %s', async (url, title) => {
  renderRoutes(routes, url);
  await waitFor(() => expect(document.title.split(' – ')[0]).toBe(title));
});
