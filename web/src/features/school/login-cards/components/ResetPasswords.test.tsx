// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { fakeApi, rejectWith } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { ResetPasswordButton } from './ResetPasswordButton.tsx';
import { ResetPasswords } from './ResetPasswords.tsx';

const RESET_ID = '7a1c0000-0000-4000-8000-000000000001';
const POST = 'POST /v1/enterprises/7/readers/password/reset';
const GET = `GET /v1/enterprises/7/readers/password/reset/${RESET_ID}`;
const LINKS = {
  logins: 'https://portal.example/v1/files/t.pdf',
  spreadsheet: 'https://portal.example/v1/files/t.xlsx',
};
const SUCCESS = /The pupil's password is being reset and new login information will arrive by email shortly\./;

const replyWith = (status: string, total = 1) => ({
  reset: {
    id: RESET_ID,
    status,
    total,
    links: status === 'complete' ? LINKS : null,
    created_at: '2026-11-18T12:00:00.000Z',
  },
});
const cards = () => ({
  logins: [{ name: 'Ada Baker', username: 'ada-baker', password: 'blue-boat-7', class: null, code: null }],
  instruction: 'Log in at read.example.',
});
const ADA = { id: 5, name: 'Ada Baker' };
const MANY = Array.from({ length: CARDS_AT_ONCE + 1 }, (_, index) => ({ id: index + 1, name: `Pupil ${index}` }));

/** A page with a selection of many pupils. */
function ManyPupils() {
  const [state, setState] = useState('open');
  return (
    <>
      <p>{`Dialog: ${state}`}</p>
      <ResetPasswords
        pupils={MANY}
        isOpen={state === 'open'}
        onClose={(hasReset) => setState(hasReset ? 'closed after a reset' : 'closed without a reset')}
      />
    </>
  );
}

it.each([
  ['RESET PASSWORD', undefined],
  ['?card=new in the URL', '/pupils/5?card=new'],
])('%s asks for confirmation, then shows the card in the same dialog with the focus on Print', async (_how, url) => {
  signIn(makeUser());
  const sent = fakeApi({ [POST]: () => replyWith('complete'), [`${GET}/logins`]: cards });
  const { user } = renderInApp(<ResetPasswordButton pupil={ADA} />, url);
  if (url === undefined) await user.click(screen.getByRole('button', { name: 'RESET PASSWORD' }));
  const question = await screen.findByRole('dialog', { name: 'Reset the password of Ada Baker?' });
  await user.click(within(question).getByRole('button', { name: 'Reset password' }));
  const dialog = await screen.findByRole('dialog', { name: 'New login card for Ada Baker' });
  await within(dialog).findByText('blue-boat-7');
  expect(within(dialog).getByText(SUCCESS)).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Print'));
  expect(sent[POST]).toEqual([{ reader_ids: [5] }]);
});

it('RESET PASSWORD is disabled once the password has been reset', async () => {
  signIn(makeUser());
  fakeApi({ [POST]: () => replyWith('complete'), [`${GET}/logins`]: cards });
  const { user } = renderInApp(<ResetPasswordButton pupil={ADA} />);
  const button = () => screen.getByRole('button', { name: 'RESET PASSWORD' });
  await user.click(button());
  await user.click(await screen.findByRole('button', { name: 'Reset password' }));
  await screen.findByText('blue-boat-7');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('true'));
  expect(document.activeElement).toBe(button());
});

it('a failed reset leaves RESET PASSWORD enabled and says that no password has been reset', async () => {
  signIn(makeUser());
  fakeApi({ [POST]: () => rejectWith(409, { error: 'You do not manage this class.', error_type: 'conflict' }) });
  const { user } = renderInApp(<ResetPasswordButton pupil={ADA} />);
  await user.click(screen.getByRole('button', { name: 'RESET PASSWORD' }));
  await user.click(await screen.findByRole('button', { name: 'Reset password' }));
  const dialog = await screen.findByRole('dialog', { name: 'Reset the password of Ada Baker?' });
  await within(dialog).findByText(/You do not manage this class\./);
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'RESET PASSWORD' }).getAttribute('aria-disabled')).toBeNull();
});

it('a large reset of passwords shows its progress and then its files, in the dialog', async () => {
  signIn(makeUser());
  let polls = 0;
  fakeApi({
    [POST]: () => replyWith('loading', MANY.length),
    [GET]: () => replyWith((polls += 1) < 2 ? 'loading' : 'complete', MANY.length),
  });
  const { user } = renderInApp(<ManyPupils />);
  await user.click(await screen.findByRole('button', { name: 'Reset passwords' }));
  await screen.findByText(/will appear here when they are ready/);
  await screen.findByRole('button', { name: 'Spreadsheet' });
  await user.click(screen.getByText('Close'));
  await screen.findByText('Dialog: closed after a reset');
});

it('a large reset of passwords that is closed early counts as started, and the page links back to it', async () => {
  signIn(makeUser());
  fakeApi({ [POST]: () => replyWith('loading', MANY.length), [GET]: () => replyWith('loading', MANY.length) });
  const { user } = renderInApp(<ManyPupils />);
  await user.click(await screen.findByRole('button', { name: 'Reset passwords' }));
  await screen.findByText(/will appear here when they are ready/);
  await user.keyboard('{Escape}');
  await screen.findByText('Dialog: closed after a reset');
  expect(localStorage.getItem('portal.recent-cards')).toContain(RESET_ID);
});

it('a large reset of passwords that fails says so and can be started again', async () => {
  signIn(makeUser());
  const sent = fakeApi({
    [POST]: () => replyWith('loading', MANY.length),
    [GET]: () => replyWith('none', MANY.length),
  });
  const { user } = renderInApp(<ManyPupils />);
  await user.click(await screen.findByRole('button', { name: 'Reset passwords' }));
  await screen.findByText(/The old ones still work/);
  await user.click(screen.getByRole('button', { name: 'Reset passwords' }));
  await waitFor(() => expect(sent[POST]).toHaveLength(2));
});
