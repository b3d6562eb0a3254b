// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { fillCodes } from './guest-code.ts';

const field = () => document.querySelector('input')!.value;
const address = () => location.pathname + location.search + location.hash;

beforeEach(() => {
  document.body.innerHTML = '<form><input data-code /></form>';
});

it('the code of a card fills the field and does not stay in the address', () => {
  history.replaceState(null, '', '/supply?action=cover-ended#K7PM-3XQR-9DTW');
  fillCodes();
  expect([field(), address()]).toEqual(['K7PM-3XQR-9DTW', '/supply?action=cover-ended']);
});

it('a card that is scanned while the page is open replaces the code', () => {
  history.replaceState(null, '', '/supply');
  fillCodes();
  history.replaceState(null, '', '/supply#2222-3333-4444');
  window.dispatchEvent(new Event('hashchange'));
  expect([field(), address()]).toEqual(['2222-3333-4444', '/supply']);
});

it.each(['/supply#content', '/supply', '/login#K7PM-3XQR-9DTW'])('%s fills in nothing', (url) => {
  history.replaceState(null, '', url);
  fillCodes();
  expect([field(), address()]).toEqual(['', url]);
});

it('the code leaves the address of a page without the field', () => {
  document.body.innerHTML = '';
  history.replaceState(null, '', '/supply#K7PM-3XQR-9DTW');
  fillCodes();
  expect(address()).toBe('/supply');
});
