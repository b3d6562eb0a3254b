// @vitest-environment happy-dom
import { TextInput } from './Field.tsx';
import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../shared/api-error.ts';
import { useSchemaForm } from '../shared/use-schema-form.ts';
import { renderInApp } from '../testing/render-in-app.tsx';
import { Confirm } from './Confirm.tsx';
import { Dialog } from './Dialog.tsx';
import { DialogForm } from './DialogForm.tsx';

const schema = z.object({ name: z.string() });

function Fields({ save, onClose }: { save: () => Promise<unknown>; onClose: () => void }) {
  const form = useSchemaForm({ schema, initialValues: { name: 'Badgers' } });
  const submit = form.onSubmit(async () => {
    await save();
    onClose();
  });
  return (
    <DialogForm form={form} onSubmit={submit} onCancel={onClose} action="Add class">
      <TextInput label="Name" {...form.field('name')} />
    </DialogForm>
  );
}

function Page({ save }: { save: () => Promise<unknown> }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Add…
      </button>
      <Dialog isOpen={isOpen} onClose={close} title="Add Class">
        <Fields save={save} onClose={close} />
      </Dialog>
    </>
  );
}

/** Opens the dialog and submits it. The test ends the submission. */
async function openAndSubmit() {
  let finish: { resolve: () => void; reject: (error: unknown) => void };
  const save = () =>
    new Promise<void>((resolve, reject) => {
      finish = { resolve, reject };
    });
  const { user } = renderInApp(<Page save={save} />);
  await user.click(screen.getByRole('button', { name: 'Add…' }));
  await screen.findByRole('dialog', { name: 'Add Class' });
  await user.click(screen.getByRole('button', { name: 'Add class' }));
  return {
    user,
    end: () => act(async () => finish.resolve()),
    fail: (error: unknown) => act(async () => finish.reject(error)),
  };
}

it('a dialog cannot be closed by Escape, Cancel, the cross or a click beside it while it is submitted', async () => {
  const { user, end } = await openAndSubmit();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(document.querySelector('[class*="Overlay"]')!);
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  expect(screen.queryByRole('dialog')).not.toBeNull();
  await end();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it.each([
  [
    'a server error',
    new ApiError(503, { error: 'The database is away', error_type: 'server' }),
    'The database is away',
  ],
  ['an aborted call', new DOMException('The user aborted a request.', 'AbortError'), 'An error occurred'],
  ['a timeout', new DOMException('The operation timed out.', 'TimeoutError'), 'An error occurred'],
])('a dialog says that its submission failed with %s, and can then be closed', async (_what, error, text) => {
  const { user, fail } = await openAndSubmit();
  await user.keyboard('{Escape}');
  await fail(error);
  expect((await screen.findByRole('alert')).textContent).toContain(text);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('Escape closes only the topmost of two dialogs', async () => {
  const closed = vi.fn<(which: string) => void>();
  const { user } = renderInApp(
    <>
      <Dialog isOpen onClose={() => closed('lower')} title="Lower">
        <p>Lower</p>
      </Dialog>
      <Confirm isOpen onClose={() => closed('upper')} title="Upper?" action="Yes" onConfirm={() => undefined}>
        Upper
      </Confirm>
    </>,
  );
  await screen.findByRole('dialog', { name: 'Upper?' });
  await user.keyboard('{Escape}');
  expect(closed.mock.calls).toEqual([['upper']]);
});
