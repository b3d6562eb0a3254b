import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readOwnPath } from './own-path.ts';

it.each([
  ['/pupils?search=Łukasik', '/pupils?search=%C5%81ukasik'],
  ['/pupils?search=%C5%81ukasik#list', '/pupils?search=%C5%81ukasik#list'],
  ['/classes/Żółw 3', '/classes/%C5%BB%C3%B3%C5%82w%203'],
  ['/pupils?search=\ud800', '/pupils?search=%EF%BF%BD'],
  ['/pupils?search=🦉', '/pupils?search=%F0%9F%A6%89'],
  ['', undefined],
  ['pupils', undefined],
  ['//evil.example', undefined],
  ['/\\evil.example', undefined],
  ['/.//evil.example', undefined],
  ['/a/..//evil.example', undefined],
  ['/%2e//evil.example', undefined],
  ['/pupils\r\nSet-Cookie: session=forged', undefined],
  ['https://evil.example/', undefined],
  ['javascript:alert(1)', undefined],
])('reads the path of the portal in %j as %j', (wanted, path) => {
  expect(readOwnPath(wanted)).toBe(path);
});

it('readOwnPath rejects a path that is too long for a header', () => {
  const longest = `/${'x'.repeat(1999)}`;
  expect(readOwnPath(longest)).toBe(longest);
  expect(readOwnPath(`${longest}x`)).toBeUndefined();
  expect(readOwnPath(`/${'Ł'.repeat(400)}`)).toBeUndefined();
});

/** Any UTF-16, with halves of pairs, and what begins a URL that leads away. */
const anyText = fc
  .tuple(
    fc.constantFrom('', '/', '//', '/\\', '/.//', '/a/..//', '/%2e%2e//', '/\t/', 'https://', '/pupils?search='),
    fc.array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 40 }),
  )
  .map(([start, units]) => start + String.fromCharCode(...units));

it('readOwnPath returns a path that fits into a header and never names another host, or undefined', () => {
  fc.assert(
    fc.property(anyText, (wanted) => {
      const path = readOwnPath(wanted);
      if (path === undefined) return;
      expect(path).toMatch(/^\/[\x21-\x7e]*$/);
      expect(path).not.toMatch(/^[^?#]*(\/\/|\\)/);
      expect(readOwnPath(path)).toBe(path);
    }),
    { numRuns: 5000 },
  );
});
