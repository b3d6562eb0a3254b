// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { useLocation } from '../../../shared/router.ts';
import { expect, it } from 'vitest';
import { renderRoutes } from '../../../testing/render-in-app.tsx';
import UserGuidePage from './UserGuidePage.tsx';

const Url = () => {
  const { pathname, hash } = useLocation();
  return <output aria-label="URL">{pathname + hash}</output>;
};
const Component = () => (
  <>
    <Url />
    <UserGuidePage />
  </>
);
const routes = [
  { path: '/userguide', Component },
  { path: '/userguide/:tabId/:itemId', Component },
];
const url = () => screen.getByLabelText('URL').textContent;
const tabs = () => within(screen.getByRole('navigation', { name: 'Parts of the user guide' })).getAllByRole('link');
const listOf = (tab: string) => within(screen.getByRole('navigation', { name: tab }));

it('the user guide lists 6 sections, 9 sections and 2 sections on three tabs', async () => {
  const { user } = renderRoutes(routes, '/userguide');
  const titles = ['Getting your school online', 'Getting the most out of Storylark', 'Records and privacy'];
  expect(tabs().map(({ textContent }) => textContent)).toEqual(titles);
  const counts: number[] = [];
  for (const [index, title] of titles.entries()) {
    await user.click(tabs()[index]!);
    counts.push(listOf(title).getAllByRole('link').length);
  }
  expect(counts).toEqual([6, 9, 2]);
});

it('the user guide links the last section of a tab to the first of the next, and back', async () => {
  const { user } = renderRoutes(routes, '/userguide/getting-the-most/your-account');
  await user.click(screen.getByRole('link', { name: 'Next Update pupils from your school records' }));
  expect(url()).toBe('/userguide/records-and-privacy/school-records');
  await user.click(screen.getByRole('link', { name: /^Previous/ }));
  expect(url()).toBe('/userguide/getting-the-most/your-account');
});

it.each(['school-records', 'data-and-privacy#close-the-school'])(
  'a bookmark of %s under the former tab of the section is redirected',
  (section) => {
    renderRoutes(routes, `/userguide/getting-the-most/${section}`);
    const now = `/userguide/records-and-privacy/${section}`;
    expect(url()).toBe(now);
    const current = listOf('Records and privacy').getByRole('link', { current: 'page' });
    expect(current.getAttribute('href')).toBe(now.replace(/#.*/, ''));
  },
);

it('an unknown section of the user guide links to the guide', () => {
  renderRoutes(routes, '/userguide/getting-the-most/nothing');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Section not found');
});

it('a section of the user guide plays its video in a dialog, and has no button without a video', async () => {
  const { user } = renderRoutes(routes, '/userguide/getting-online/create-classes');
  await user.click(screen.getByRole('button', { name: 'Watch the video' }));
  const dialog = await screen.findByRole('dialog', { name: 'Create a class' });
  expect(dialog.querySelector('video')).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('link', { name: 'Register your school and log in' }));
  expect(screen.queryByRole('button', { name: 'Watch the video' })).toBeNull();
});
