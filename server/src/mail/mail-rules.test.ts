import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAIL_RULES } from './mail-rules.ts';

test('docs/mail.md lists each kind of mail with its reason, recipients and rule', () => {
  const document = readFileSync(new URL('../../../docs/mail.md', import.meta.url), 'utf8');
  const rows = [...document.matchAll(/^\| `(\w+)` +\| (.+?) +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, kind, reason, to, rule]) => [kind, { reason, to, rule }],
  );
  expect(Object.fromEntries(rows)).toEqual(MAIL_RULES);
  expect(rows.map(([kind]) => kind)).toEqual(Object.keys(MAIL_RULES).toSorted());
});
