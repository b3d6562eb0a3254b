import { expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { onProofRequired, withProof } from './proof.ts';
import { resetForSession } from './session-reset.ts';

const required = () =>
  new ApiError(409, { error: 'Send your password to POST users/me/proof.', code: 'proof_required' });

/** Fails until it is proved. */
function guarded() {
  const state = { isProved: false };
  const action = vi.fn<() => Promise<string>>(async () => {
    if (!state.isProved) throw required();
    return 'done';
  });
  return { state, action };
}

it('the user proves once who they are for all waiting calls, and each is repeated', async () => {
  const { state, action } = guarded();
  const ask = vi.fn<() => Promise<boolean>>(async () => (state.isProved = true));
  const end = onProofRequired(ask);
  expect(await Promise.all([withProof(action), withProof(action)])).toEqual(['done', 'done']);
  expect(ask).toHaveBeenCalledTimes(1);
  expect(action).toHaveBeenCalledTimes(4);
  end();
});

it('a call fails when the user gives no proof, and the next call asks again', async () => {
  const { state, action } = guarded();
  const answers = [false, true];
  const ask = vi.fn<() => Promise<boolean>>(async () => (state.isProved = answers.shift() ?? false));
  const end = onProofRequired(ask);
  await expect(withProof(action)).rejects.toMatchObject({
    code: 'proof_required',
    error: 'We changed nothing, because you did not confirm that it is you. Try again.',
  });
  expect(await withProof(action)).toBe('done');
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});

it('no other error asks for a proof, and none does on a page without the dialog', async () => {
  const ask = vi.fn<() => Promise<boolean>>(async () => true);
  const end = onProofRequired(ask);
  const conflict = new ApiError(409, { error: 'Changed meanwhile', code: 'conflict' });
  await expect(withProof(() => Promise.reject(conflict))).rejects.toBe(conflict);
  expect(ask).not.toHaveBeenCalled();
  end();
  await expect(withProof(guarded().action)).rejects.toMatchObject({ code: 'proof_required' });
});

it('the next user is asked for a proof when the previous user logged out without giving one', async () => {
  const first = guarded();
  const end = onProofRequired(() => new Promise(() => {}));
  void withProof(first.action);
  await expect.poll(() => first.action.mock.calls.length).toBe(1);
  resetForSession(null);
  end();
  const { state, action } = guarded();
  const endNext = onProofRequired(async () => (state.isProved = true));
  expect(await withProof(action)).toBe('done');
  endNext();
});
