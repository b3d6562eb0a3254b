import { expect, it } from 'vitest';
import { withBreakpoints } from './breakpoints.ts';

it('a named width in a media query is replaced, alone and with other conditions', () => {
  expect(withBreakpoints('@media (--phone) { a {} }')).toBe('@media (max-width: 37.499em) { a {} }');
  expect(withBreakpoints('@media screen and (--tablet), (hover: none) {}')).toBe(
    '@media screen and (max-width: 62.499em), (hover: none) {}',
  );
  expect(withBreakpoints('@container (max-width: 20rem) {}')).toBe('@container (max-width: 20rem) {}');
});

it.each(['@media (--watch) {}', '@media (max-width: 599.98px) {}'])('the media query %s is rejected', (css) => {
  expect(() => withBreakpoints(css)).toThrow('web/build/breakpoints.ts');
});
