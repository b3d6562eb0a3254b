import { expect, it } from 'vitest';
import { ApiError } from './api-error.ts';
import { CapacityError, errorToText, explainError } from './error-text.ts';

it('the text of an error lists the errors of every field', () => {
  const error = new ApiError(422, {
    error: 'Some details',
    error_type: 'validation',
    errors: { email: ['Enter an email.'], name: ['Too short.', 'No digits.'] },
  });
  expect(explainError(error).texts).toEqual(['Enter an email.', 'Too short.', 'No digits.']);
});

it('errors of fields are a list, even a single error', () => {
  const error = new ApiError(422, { error: 'x', error_type: 'validation', errors: { name: ['Too short.'] } });
  expect(explainError(error)).toEqual({ texts: ['Too short.'], isList: true });
  expect(explainError(new ApiError(409, { error: 'Gone.', error_type: 'conflict' })).isList).toBeUndefined();
});

it('the error about too few places refers a teacher to the administrator, and an administrator to the upgrade', () => {
  const full = (role: string) =>
    explainError(new ApiError(422, { error: 'Full', error_type: 'capacity', code: `max-readers-reached:${role}:3` }));
  expect(full('teacher')).toEqual({
    texts: [
      'Your current subscription only has capacity for 3 new readers, contact your school administrator to upgrade your package',
    ],
  });
  expect(full('admin')).toEqual({
    texts: ['Your current subscription only has capacity for 3 new readers, '],
    link: { text: 'click here to upgrade', to: 'subscription' },
  });
  expect(explainError(new CapacityError(3, true))).toEqual(full('admin'));
  expect(explainError(new CapacityError(3, false))).toEqual(full('teacher'));
});

it('the text of an error is the server’s, or states that an error occurred', () => {
  expect(explainError(new ApiError(409, { error: 'The invite is gone.', error_type: 'conflict' })).texts).toEqual([
    'The invite is gone.',
  ]);
  expect(explainError(new ApiError(409, { error: 'Gone.', error_type: 'conflict' })).advice).toBeUndefined();
  expect(explainError(new ApiError(502, {})).texts).toEqual(['An error occurred']);
  expect(explainError(new TypeError('x is undefined')).texts).toEqual(['An error occurred']);
});

it('the text for a lost connection starts as specified, then says what to do', () => {
  const lost = new ApiError(0, { error: 'Error: Network Error', error_type: 'network' });
  expect(errorToText(lost)).toMatch(/^Error: Network Error We could not reach \w+\. Check your internet connection/);
  expect(errorToText(new ApiError(503, {}))).toBe('An error occurred Please try again in a moment.');
});

it('the error about a missing second factor leads to where one is added', () => {
  const error = new ApiError(409, { error: 'x', error_type: 'conflict', code: 'program_needs_factor' });
  expect(explainError(error).link?.to).toBe('security');
  expect(errorToText(error)).toMatch(/^Only an admin with a second factor can do this\./);
});
