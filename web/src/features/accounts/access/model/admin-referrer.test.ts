import { expect, it } from 'vitest';
import { isFromAdminPanel } from './admin-referrer.ts';

const HERE = 'https://portal.example/token/abc';

it.each([
  ['https://portal.example/admin', '/admin', true],
  ['https://portal.example/admin/schools/7?search=x', 'https://portal.example/admin', true],
  ['https://portal.example/administrators', '/admin', false],
  ['https://portal.example/', '/admin', false],
  ['https://portal.example/login', '/admin', false],
  ['https://evil.example/admin', '/admin', false],
  ['http://portal.example/admin', '/admin', false],
  ['', '/admin', false],
  ['https://panel.example/', 'https://panel.example/tools/admin', true],
  ['https://panel.example/tools/admin/1', 'https://panel.example/tools/admin', true],
  ['https://panel.example/other', 'https://panel.example/tools/admin', false],
  ['https://portal.example/', 'https://panel.example/admin', false],
])('a page opened from %j, with the panel at %j: %j', (referrer, panel, expected) => {
  expect(isFromAdminPanel(referrer, HERE, panel)).toBe(expected);
});
