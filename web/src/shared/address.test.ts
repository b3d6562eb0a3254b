import { expect, it } from 'vitest';
import { addressOf } from './address.ts';

it('fills parameters in and escapes them', () => {
  expect(addressOf('/enterprises/{id}/readers/{readerId}', { id: 7, readerId: 'a/b' })).toBe(
    '/v1/enterprises/7/readers/a%2Fb',
  );
});

it('refuses a path whose parameter is missing', () => {
  expect(() => addressOf('/enterprises/{id}')).toThrow('needs the parameter id');
});

it('writes nested queries, lists, and leaves out what is not there', () => {
  const query = {
    page: 2,
    search: 'Ann & Bo',
    groups: [3, 'none'],
    empty: [],
    sort: { name: 'asc' },
    gone: undefined,
    no: null,
  };
  expect(addressOf('/x', {}, query)).toBe('/v1/x?page=2&search=Ann%20%26%20Bo&groups=3,none&sort[name]=asc');
});
