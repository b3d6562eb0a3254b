import { expect, it } from 'vitest';
import { urlOf } from './url.ts';

it('fills parameters in and escapes them', () => {
  expect(urlOf('/enterprises/{id}/readers/{readerId}', { id: 7, readerId: 'a/b' })).toBe(
    '/v1/enterprises/7/readers/a%2Fb',
  );
});

it('throws when a parameter of the path is missing', () => {
  expect(() => urlOf('/enterprises/{id}')).toThrow('needs the parameter id');
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
  expect(urlOf('/x', {}, query)).toBe('/v1/x?page=2&search=Ann%20%26%20Bo&groups=3,none&sort[name]=asc');
});
