import { expect, it } from 'vitest';
import { urlOf } from './url.ts';

it('the URL of a call has its parameters, escaped', () => {
  expect(urlOf('/enterprises/{id}/readers/{readerId}', { id: 7, readerId: 'a/b' })).toBe(
    '/v1/enterprises/7/readers/a%2Fb',
  );
});

it('the URL of a call throws when a parameter of its path is missing', () => {
  expect(() => urlOf('/enterprises/{id}')).toThrow('needs the parameter id');
});

it('the query of a URL has nested values and lists, and no missing values', () => {
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
