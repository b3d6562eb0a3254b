import { expect, it } from 'vitest';
import { inspectLiveRegions } from './live-regions.ts';

const REGION = { 'web/src/ui/StatusRegion.tsx': "const REGION = { role: 'status', 'aria-live': 'polite' };" };
const findingsIn = (source: string, path = 'web/src/shell/A.tsx') =>
  inspectLiveRegions({ ...REGION, [path]: source }).findings;

it.each([
  ['an attribute', '<p aria-live="polite">'],
  ['a property', "const props = { 'aria-live': 'polite' };"],
  ['a property of an element', "element.ariaLive = 'polite';"],
  ['a role', '<p role="status">'],
  ['a role of the properties', "const props = { role: 'status' };"],
  ['a role that depends on something', "<p role={isError ? 'alert' : 'status'}>"],
  ['a log', '<ul role="log">'],
  ['an output', '<output>'],
])('a live region is found as %s', (_what, source) => {
  const [finding, ...others] = findingsIn(`\n${source}`);
  expect(finding).toMatch(/^web\/src\/shell\/A\.tsx:2: /);
  expect(others).toEqual([]);
});

it.each([
  ['an alert', '<p role="alert">', 'web/src/ui/A.tsx'],
  ['a selector', 'document.querySelector(\'[role="status"]\');', 'web/src/ui/a.ts'],
  ['a component test', '<output>', 'web/src/ui/A.test.tsx'],
  ['the status of an invoice', "const row = { status: 'open' };", 'web/src/ui/a.ts'],
  ['the server', '<p role="status">', 'server/src/a.ts'],
])('%s is not reported', (_what, source, path) => {
  expect(findingsIn(source, path)).toEqual([]);
});

it('an app without its status region is reported', () => {
  expect(inspectLiveRegions({ 'web/src/ui/StatusRegion.tsx': '' }).findings).toHaveLength(1);
});
