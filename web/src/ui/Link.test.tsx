// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react';
import { memo, Profiler, type ProfilerOnRenderCallback } from 'react';
import { expect, it, vi } from 'vitest';
import { useLocation, useNavigationType } from '../shared/router.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Link, type LinkProps } from './Link.tsx';

const Place = () => {
  const { pathname, search, hash } = useLocation();
  return <output aria-label="URL">{pathname + search + hash}</output>;
};
const NavigationType = () => <output aria-label="Navigation">{useNavigationType()}</output>;

const renderLink = (props: LinkProps) =>
  renderInApp(
    <>
      <Link {...props}>Classes</Link>
      <Place />
      <NavigationType />
    </>,
  );

it('a click on a link opens its screen without loading a document', async () => {
  const { getByRole, findByText, getByLabelText } = renderLink({ to: '/classes?sort=name#first' });
  expect(getByRole('link').getAttribute('href')).toBe('/classes?sort=name#first');
  fireEvent.click(getByRole('link'));
  await findByText('/classes?sort=name#first');
  expect(getByLabelText('Navigation').textContent).toBe('PUSH');
});

it.each([
  ['to the current URL', 'REPLACE', { to: '/' }],
  ['with replace', 'REPLACE', { to: '/classes', replace: true }],
  ['to the current URL, without replace', 'PUSH', { to: '/', replace: false }],
])('a link %s makes the history entry: %s', async (_what, type, props) => {
  const { user, getByRole, findByText } = renderLink(props);
  await user.click(getByRole('link'));
  await findByText(type);
});

it.each([
  ['with Ctrl', { ctrlKey: true }, {}],
  ['with Command', { metaKey: true }, {}],
  ['with Shift', { shiftKey: true }, {}],
  ['with Alt', { altKey: true }, {}],
  ['by the middle button', { button: 1 }, {}],
  ['for another tab', {}, { target: '_blank' }],
])('the browser itself opens a link that is clicked %s', (_how, click, props) => {
  const { getByRole, getByLabelText } = renderLink({ to: '/classes', ...props });
  // happy-dom follows a link that the page leaves to it.
  const open = vi.fn<(event: Event) => boolean>((event) => {
    const isLeftToBrowser = !event.defaultPrevented;
    event.preventDefault();
    return isLeftToBrowser;
  });
  document.addEventListener('click', open, { once: true });
  fireEvent.click(getByRole('link'), click);
  expect(open).toHaveReturnedWith(true);
  expect(getByLabelText('URL').textContent).toBe('/');
});

it('a link whose handler prevents its default opens nothing', () => {
  const { getByRole, getByLabelText } = renderLink({ to: '/classes', onClick: (event) => event.preventDefault() });
  fireEvent.click(getByRole('link'));
  expect(getByLabelText('URL').textContent).toBe('/');
});

it('a change of the location renders no link again', async () => {
  const onRender = vi.fn<ProfilerOnRenderCallback>();
  const Row = memo(() => (
    <Profiler id="row" onRender={onRender}>
      <Link to="/?page=2">Next page</Link>
    </Profiler>
  ));
  const { user, getByRole, findByText } = renderInApp(
    <>
      <Row />
      <Place />
    </>,
  );
  await user.click(getByRole('link'));
  await findByText('/?page=2');
  expect(onRender.mock.calls.filter(([, phase]) => phase === 'update')).toEqual([]);
});
