// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { NewLoginsDialog } from './NewLoginsDialog.tsx';

const FILES = { Logins: '/v1/files/t.pdf', Spreadsheet: '/v1/files/t.xlsx' };
const onClose = vi.fn<() => void>();

beforeEach(() => {
  onClose.mockClear();
  signIn(makeUser());
});

async function open() {
  const { user } = renderInApp(
    <NewLoginsDialog
      logins={{
        userId: 3,
        at: Date.now(),
        links: {
          logins: 'https://portal.example/v1/files/t.pdf',
          spreadsheet: 'https://portal.example/v1/files/t.xlsx',
        },
        summary: '1 pupil created.',
        classId: null,
      }}
      onClose={onClose}
    />,
  );
  const dialog = within(await screen.findByRole('dialog', { name: 'New logins' }));
  const isClosable = () => dialog.getByRole('button', { name: 'Close' }).getAttribute('aria-disabled') !== 'true';
  return { user, dialog, isClosable };
}

it('the dialog with new logins closes neither by Escape nor by Close until the user confirms that the files were downloaded', async () => {
  fakeApi({});
  const { user, dialog, isClosable } = await open();
  await user.keyboard('{Escape}');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(screen.getByRole('dialog', { name: 'New logins' })).toBeTruthy();
  expect([isClosable(), onClose.mock.calls]).toEqual([false, []]);
  await user.click(dialog.getByLabelText('I have downloaded the files'));
  expect(isClosable()).toBe(true);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it.each(Object.entries(FILES))(
  '%s in the dialog with new logins downloads %s, which confirms the download',
  async (name, url) => {
    const sent = fakeApi({ [`GET ${url}`]: () => new Response('file') });
    // The simulated browser would leave the page for the file.
    const save = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    onTestFinished(() => save.mockRestore());
    const { user, dialog, isClosable } = await open();
    await user.click(dialog.getByRole('button', { name }));
    await waitFor(() => expect(isClosable()).toBe(true));
    expect(Object.keys(sent)).toEqual([`GET ${url}`]);
    expect(save).toHaveBeenCalledOnce();
  },
);

it('a download of new logins that fails confirms nothing', async () => {
  fakeApi({
    [`GET ${FILES.Spreadsheet}`]: () => rejectWith(404, { error: 'Nothing was found.', error_type: 'not_found' }),
  });
  const { user, dialog, isClosable } = await open();
  await user.click(dialog.getByRole('button', { name: 'Spreadsheet' }));
  expect(await dialog.findByText('Nothing was found.')).toBeTruthy();
  expect(isClosable()).toBe(false);
});
