// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Popover } from './Popover.tsx';

const showPopover = () => {
  const { user } = renderInApp(
    <>
      <Popover button={(ref) => <summary ref={ref}>Dates</summary>}>{() => <a href="#today">Today</a>}</Popover>
      <button type="button">Elsewhere</button>
    </>,
  );
  const details = screen.getByText('Dates').closest('details')!;
  return { user, details };
};

/** Opens it. The browser does not report that it has opened. */
async function open() {
  const page = showPopover();
  const hold = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener('toggle', hold, { capture: true });
  onTestFinished(() => window.removeEventListener('toggle', hold, { capture: true }));
  await page.user.click(screen.getByText('Dates'));
  expect(page.details.open).toBe(true);
  return page;
}

it('Escape closes a popover and focuses its button, also before the browser has reported that it opened', async () => {
  const { user, details } = await open();
  await user.keyboard('{Escape}');
  expect(details.open).toBe(false);
  expect(document.activeElement).toBe(screen.getByText('Dates'));
});

it('a popover closes when the focus moves or a press lands elsewhere, also before the browser has reported that it opened', async () => {
  const { user, details } = await open();
  screen.getByText('Elsewhere').focus();
  expect(details.open).toBe(false);
  await user.click(screen.getByText('Dates'));
  await user.click(screen.getByText('Today'));
  expect(details.open).toBe(true);
  await user.click(document.body);
  expect(details.open).toBe(false);
});

it('Escape leaves the focus where it is when the popover is closed', async () => {
  const { user, details } = showPopover();
  screen.getByText('Today').focus();
  await user.keyboard('{Escape}');
  expect(details.open).toBe(false);
  expect(document.activeElement).toBe(screen.getByText('Today'));
});
