// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Popover } from './Popover.tsx';

const showPopover = () => {
  const { user } = renderInApp(
    <Popover button={(ref) => <summary ref={ref}>Dates</summary>}>{() => <a href="/today">Today</a>}</Popover>,
  );
  const details = screen.getByText('Dates').closest('details')!;
  return { user, details };
};

it('closes with Escape and focuses its button, also before the browser has said that it opened', async () => {
  const { user, details } = showPopover();
  const hold = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener('toggle', hold, { capture: true, once: true });
  details.open = true;
  await user.keyboard('{Escape}');
  expect(details.open).toBe(false);
  expect(document.activeElement).toBe(screen.getByText('Dates'));
});

it('leaves the focus where it is when Escape is pressed and it is closed', async () => {
  const { user, details } = showPopover();
  screen.getByText('Today').focus();
  await user.keyboard('{Escape}');
  expect(details.open).toBe(false);
  expect(document.activeElement).toBe(screen.getByText('Today'));
});
