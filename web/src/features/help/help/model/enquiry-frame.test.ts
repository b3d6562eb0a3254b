import { expect, test } from 'vitest';
import { heightIn, prefilledAddress } from './enquiry-frame.ts';

const ADDRESS = 'https://forms.example/enquiry?product=1';
const frame = {} as Window;
const message = (data: unknown, more: object = {}) => ({
  origin: 'https://forms.example',
  source: frame,
  data,
  ...more,
});

test('the URL of an enquiry form gets the user’s details and keeps its parameters', () => {
  const user = {
    first_name: 'Ada & Co',
    last_name: 'Okafor',
    email: 'ada+1@school.example',
    enterprise: { id: 12, name: 'St Mary’s', terms_accepted_at: null },
  };
  expect(Object.fromEntries(new URL(prefilledAddress(ADDRESS, user as never)).searchParams)).toEqual({
    product: '1',
    first_name: 'Ada & Co',
    last_name: 'Okafor',
    email: 'ada+1@school.example',
    school_name: 'St Mary’s',
    school_id: '12',
  });
});

test.each([
  ['an object', { height: 640.2 }, 641],
  ['JSON', '{"height":640}', 640],
  ['less than is useful', { height: 3 }, 200],
  ['more than a page', { height: 1e9 }, 4000],
  ['no number', { height: '640' }, undefined],
  ['no finite number', { height: Number.NaN }, undefined],
  ['another text', 'height', undefined],
  ['nothing', null, undefined],
])('the height of an enquiry form is read from a message of %s', (_, data, expected) => {
  expect(heightIn(message(data), ADDRESS, frame)).toBe(expected);
});

test('messages from another site or window, or without a frame, do not change the height of an enquiry form', () => {
  expect(heightIn(message({ height: 640 }, { origin: 'https://forms.example.org' }), ADDRESS, frame)).toBeUndefined();
  expect(heightIn(message({ height: 640 }, { source: {} as Window }), ADDRESS, frame)).toBeUndefined();
  expect(heightIn(message({ height: 640 }, { source: null }), ADDRESS, null)).toBeUndefined();
});
