// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { announce, getAnnouncements } from '../shared/announcements.ts';
import { resetForSession } from '../shared/session-reset.ts';
import { endSession, startSession } from '../shared/session.ts';
import { makeUser } from '../testing/make-school.ts';
import { Dialog } from './Dialog.tsx';
import { StatusRegion } from './StatusRegion.tsx';
import { showToast } from './toasts.ts';
import { useAnnouncement, useLoadingAnnouncement } from './use-announcement.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  resetForSession(null);
  vi.useRealTimers();
});

const pass = (ms = 1000) => act(() => vi.advanceTimersByTimeAsync(ms));
const announced = () => getAnnouncements().map(({ text }) => text);
/** The lines that the status region of the page, or of the dialog, has now. */
const linesIn = (region: Element | null | undefined) => [...(region?.querySelectorAll('p') ?? [])];

function Result({ text, cause }: { text: string | false; cause?: string }) {
  useAnnouncement(text, cause);
  return null;
}

const inApp = (text: string | false, cause = '') => (
  <StrictMode>
    <Result text={text} cause={cause} />
    <StatusRegion />
  </StrictMode>
);

it('the text that a page shows first is not announced, and a later one is', async () => {
  const { rerender } = render(inApp('93 pupils'));
  await pass();
  expect(announced()).toEqual([]);
  rerender(inApp('1 pupil'));
  await pass();
  expect(announced()).toEqual(['1 pupil']);
});

it('the same result of another search is announced again', async () => {
  const { rerender } = render(inApp(false));
  rerender(inApp('No results', 'ann'));
  await pass();
  const [first] = getAnnouncements();
  rerender(inApp('No results', 'ann'));
  await pass();
  expect(getAnnouncements()).toEqual([first]);
  rerender(inApp('No results', 'ben'));
  await pass();
  expect(announced()).toEqual(['No results']);
  expect(getAnnouncements()).not.toEqual([first]);
});

it('an announcement replaces the previous one with a new element, also with the same text', async () => {
  const { getByRole } = render(<StatusRegion />);
  announce('Saved');
  await pass();
  const [first] = linesIn(getByRole('status'));
  announce('Saved');
  await pass();
  const second = linesIn(getByRole('status'));
  expect(second.map(({ textContent }) => textContent)).toEqual(['Saved']);
  expect(second).not.toContain(first);
});

it('of many announcements at once the latest three are made', async () => {
  for (const text of ['1', '2', '3', '4']) announce(text);
  await pass();
  expect(announced()).toEqual(['2', '3', '4']);
});

it('announcements end with the session, also those that are about to be made', async () => {
  startSession(makeUser());
  announce('Amara has been deleted');
  endSession();
  await pass();
  expect(announced()).toEqual([]);
});

it('the status region is empty in the first render and stays the same element', async () => {
  const { getByRole } = render(<StatusRegion />);
  const region = getByRole('status');
  expect(region.childNodes).toHaveLength(0);
  announce('1 pupil');
  await pass();
  expect(getByRole('status')).toBe(region);
  expect(region.textContent).toBe('1 pupil');
});

it('loading is announced only if it takes more than a second', async () => {
  const Loading = ({ isLoading }: { isLoading: boolean }) => {
    useLoadingAnnouncement(isLoading, 'Loading books');
    return null;
  };
  const { rerender } = render(<Loading isLoading={false} />);
  rerender(<Loading isLoading />);
  await pass(800);
  rerender(<Loading isLoading={false} />);
  await pass(2_000);
  expect(announced()).toEqual([]);
  rerender(<Loading isLoading />);
  await pass();
  await pass();
  expect(announced()).toEqual(['Loading books']);
});

it('an Undo that has succeeded is announced', async () => {
  const { getByText } = render(<StatusRegion />);
  act(() => showToast('Deleted', { undo: async () => undefined }));
  fireEvent.click(getByText('Undo'));
  await pass();
  expect(announced()).toEqual(['Undone']);
});

function PageWithDialog() {
  const [isOpen, setOpen] = useState(true);
  const save = () => {
    showToast('Saved');
    setOpen(false);
  };
  return (
    <>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Edit">
        <button type="button" onClick={save}>
          Save
        </button>
      </Dialog>
      <StatusRegion />
    </>
  );
}

it('an open dialog has the announcements and toasts in its own status region', async () => {
  const { getByRole, container } = render(<PageWithDialog />);
  announce('1 pupil');
  await pass();
  expect(linesIn(getByRole('dialog').querySelector('[role="status"]'))).toHaveLength(1);
  expect(linesIn(container)).toEqual([]);
});

it('a toast of an action that closes its dialog appears in the region that the page has had all along', async () => {
  const { container, getByText } = render(<PageWithDialog />);
  const region = container.querySelector('[role="status"]');
  fireEvent.click(getByText('Save'));
  await pass(0);
  expect(document.querySelector('dialog')).toBeNull();
  expect(container.querySelector('[role="status"]')).toBe(region);
  expect(region?.textContent).toContain('Saved');
});
