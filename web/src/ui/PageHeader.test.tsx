// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useLayoutEffect, useRef } from 'react';
import { expect, it } from 'vitest';
import { makeUser } from '../testing/make-school.ts';
import { renderRoutes, signIn } from '../testing/render-in-app.tsx';
import { Link } from './Link.tsx';
import { PageHeader } from './PageHeader.tsx';

/** A field that takes the focus once, as soon as it is on the page, as when the user presses it at once. */
function PressedField() {
  const field = useRef<HTMLInputElement>(null);
  const isPressed = useRef(false);
  useLayoutEffect(() => {
    if (!isPressed.current) field.current?.focus();
    isPressed.current = true;
  }, []);
  return <input ref={field} aria-label="Name" />;
}

const first = { path: '/', element: <Link to="/next">Next</Link> };

it('takes the focus after a navigation', async () => {
  const { user } = renderRoutes([first, { path: '/next', element: <PageHeader title="Classes" /> }]);
  await user.click(screen.getByRole('link', { name: 'Next' }));
  expect(document.activeElement).toBe(await screen.findByRole('heading', { name: 'Classes' }));
});

it('leaves the focus alone on the first page, also when that has to load', async () => {
  signIn(makeUser());
  renderRoutes([{ path: '/nowhere', element: <PageHeader title="Classes" /> }], '/nowhere');
  expect(await screen.findByRole('heading', { name: 'Classes' })).not.toBe(document.activeElement);
});

it('leaves the focus in a field that the user presses at once', async () => {
  const page = (
    <>
      <PageHeader title="Classes" />
      <PressedField />
    </>
  );
  const { user } = renderRoutes([first, { path: '/next', element: page }]);
  await user.click(screen.getByRole('link', { name: 'Next' }));
  expect(document.activeElement).toBe(await screen.findByLabelText('Name'));
});
