// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Confirm } from './Confirm.tsx';
import { Dialog, useHoldOpen } from './Dialog.tsx';
import { TextInput } from './Field.tsx';
import { dismissToast, getToasts, showToast } from './toasts.ts';

afterEach(() => void vi.restoreAllMocks());

function Page({ children = 'No pupils yet.', canClose = true }: { children?: ReactNode; canClose?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Badgers" canClose={canClose}>
        {children}
      </Dialog>
    </>
  );
}

async function openDialog(page: ReactNode) {
  const { user } = renderInApp(page);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  return { user, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Badgers' }) };
}

const isOpen = () => screen.queryByRole('dialog', { name: 'Badgers' }) !== null;
const focused = () => document.activeElement;

it('a dialog focuses its first field, and its button again once Escape has closed it', async () => {
  const { user } = await openDialog(
    <Page>
      <button type="button">Help</button>
      <TextInput label="Name" />
    </Page>,
  );
  expect(focused()).toBe(screen.getByRole('textbox', { name: 'Name' }));
  await user.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
  expect(focused()).toBe(screen.getByRole('button', { name: 'Open' }));
});

it('a dialog focuses the element that it marks instead of its first field', async () => {
  await openDialog(
    <Page>
      <TextInput label="Name" />
      <button type="button" data-autofocus>
        Keep
      </button>
    </Page>,
  );
  expect(focused()).toBe(screen.getByRole('button', { name: 'Keep' }));
});

it('Escape closes a dialog whose focused element has gone', async () => {
  const { user } = await openDialog(<Page />);
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
});

it('a dialog closes with its button', async () => {
  const { user } = await openDialog(<Page />);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(isOpen()).toBe(false);
});

it('a dialog closes when the browser asks it to, as the Back button of a phone does', async () => {
  const { dialog } = await openDialog(<Page />);
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(isOpen()).toBe(false);
});

it('a dialog closes by a press outside, but not by one that starts inside', async () => {
  const { user, dialog } = await openDialog(<Page />);
  const inside = screen.getByText('No pupils yet.');
  await user.pointer([
    { keys: '[MouseLeft>]', target: inside },
    { keys: '[/MouseLeft]', target: dialog },
  ]);
  fireEvent.click(dialog);
  await user.click(inside);
  expect(isOpen()).toBe(true);
  await user.click(dialog);
  expect(isOpen()).toBe(false);
});

it('a dialog that may only be left by its own buttons ignores Escape, a press outside and the browser', async () => {
  const { user, dialog } = await openDialog(
    <Page canClose={false}>
      <TextInput label="Name" />
    </Page>,
  );
  await user.keyboard('{Escape}');
  await user.click(dialog);
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  expect(isOpen()).toBe(true);
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
});

it('a dialog that the browser closes while it works opens again', async () => {
  function Work() {
    useHoldOpen(true);
    return null;
  }
  const { dialog } = await openDialog(
    <Page>
      <Work />
    </Page>,
  );
  dialog.close();
  await expect.poll(() => dialog.open).toBe(true);
});

it('Escape closes only the topmost of two dialogs, and the focus returns to the lower one', async () => {
  function Form() {
    const [isAsking, setAsking] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setAsking(true)}>
          Delete
        </button>
        <Confirm
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          title="Delete?"
          action="Delete class"
          onConfirm={() => {}}
        >
          Its pupils stay.
        </Confirm>
      </>
    );
  }
  const { user } = await openDialog(
    <Page>
      <Form />
    </Page>,
  );
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  expect(focused()).toBe(screen.getByRole('button', { name: 'Cancel' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Delete?' })).toBeNull();
  expect(isOpen()).toBe(true);
  expect(focused()).toBe(screen.getByRole('button', { name: 'Delete' }));
});

it('the page behind an open dialog does not scroll, and scrolls again afterwards', async () => {
  const { user } = await openDialog(<Page />);
  expect(document.documentElement.hasAttribute('data-dialog')).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(document.documentElement.hasAttribute('data-dialog')).toBe(false);
});

it('a message that appears while a dialog is open is inside the dialog, where it can be read and pressed', async () => {
  const { dialog } = await openDialog(<Page />);
  onTestFinished(() => getToasts().forEach(({ id }) => dismissToast(id)));
  showToast('The class has been renamed');
  expect(dialog.contains(await screen.findByText('The class has been renamed'))).toBe(true);
});

it('a dialog whose content throws says so, and the page around it stays', async () => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const Broken = () => {
    throw new Error('A bug');
  };
  const { user, dialog } = await openDialog(
    <Page>
      <Broken />
    </Page>,
  );
  expect(within(dialog).getByRole('alert').textContent).toContain('We could not show this.');
  expect(within(dialog).getByRole('button', { name: 'Reload the page' })).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(isOpen()).toBe(false);
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy();
});
