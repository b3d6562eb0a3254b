// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import FaqPage from './FaqPage.tsx';
import { faqSets } from './model/help.ts';

const routes = [
  { path: '/faq', Component: FaqPage },
  { path: '/faq/:faqId', Component: FaqPage },
];

const faqs = faqSets.flatMap((set) => set.faqs);

it.each([
  ['/faq', 'FAQs'],
  [`/faq/${faqs[0]?.id}`, faqs[0]?.title ?? ''],
  ['/faq/4000', 'Question not found'],
])('the page of questions at %s has a title of its own', async (url, title) => {
  renderRoutes(routes, url);
  await waitFor(() => expect(document.title.split(' – ')[0]).toBe(title));
});

it('the page of questions shows the five specified questions under the first heading, and the others under the second', () => {
  renderRoutes(routes, '/faq');
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(headings).toEqual(['Common questions', 'More questions']);
  const questionsUnder = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('heading', { level: 3 })
      .map(({ textContent }) => faqs.find(({ title }) => title === textContent)?.id);
  expect(questionsUnder('Common questions')).toEqual(['1', '2', '3', '7', '8']);
  expect(questionsUnder('More questions')).toEqual([
    '9',
    '10',
    '11',
    '12',
    '13',
    '14',
    '15',
    '16',
    '17',
    '18',
    '19',
    '20',
    '21',
  ]);
});

it.each(faqs.map(({ id, title }) => [id, title]))('the URL of question %s opens the question', (id, title) => {
  const { container } = renderRoutes(routes, `/faq/${id}`);
  const open = [...container.querySelectorAll('details[open] h3')].map(({ textContent }) => textContent);
  expect(open).toEqual([title]);
});

it('the page of questions leads a supply teacher with another question to the school', async () => {
  signIn(makeUser({ role: 'supply_teacher', enterprise_user_role: 'teacher' }));
  renderRoutes(routes, '/faq');
  const last = await screen.findByText(/Not here\?/);
  expect(last.textContent).toBe('Not here? Read the user guide, or ask the school.');
});
