import { expect, test } from 'vitest';
import { exchangeBounce, gmailBounce, postfixBounce } from '../testing/bounce-mails.ts';
import { readBounce } from './bounce-report.ts';

const KEY = '3f0c2b6e-9d1a-4f7b-8c25-5e7a1d9b4c33';
const BOUNCE = { messageKey: KEY, recipient: 'office@school.test.example' };
const read = (source: string) => readBounce(Buffer.from(source));

test.each([
  ['Postfix', postfixBounce, '5.1.1', '550 5.1.1 <office@school.test.example>: Recipient address rejected', 'address'],
  ['Exchange', exchangeBounce, '5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found', 'address'],
  ['Gmail', gmailBounce, '5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.', 'address'],
  ['Postfix', postfixBounce, '5.2.1', '550 5.2.1 This mailbox is disabled', 'address'],
  ['Exchange', exchangeBounce, '5.7.1', '550 5.7.1 Service unavailable, client host blocked', 'ours'],
  [
    'Gmail',
    gmailBounce,
    '5.7.26',
    '550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
    'ours',
  ],
  ['Gmail', gmailBounce, '5.2.2', '552-5.2.2 The recipient is out of storage space', 'passing'],
  ['Postfix', postfixBounce, '4.4.1', 'connect to mx.school.test.example[203.0.113.5]:25: timed out', 'passing'],
  ['Postfix', postfixBounce, '5.6.0', '550 5.6.0 Lone CR or LF in headers', 'mail'],
] as const)(
  'a report of %s (%#) names the mail, its status and the words of the server',
  async (_, write, status, diagnostic, kind) => {
    const report = await read(write({ ...BOUNCE, status, diagnostic }));
    expect(report?.messageKeys).toContain(KEY);
    expect(report?.fault).toEqual({ kind, code: status, words: diagnostic });
  },
);

test('the words of the server are more exact than a status of 5.0.0', async () => {
  const diagnostic = '550 5.1.1 no such user';
  const report = await read(exchangeBounce({ ...BOUNCE, status: '5.0.0', diagnostic }));
  expect(report?.fault).toEqual({ kind: 'address', code: '5.1.1', words: diagnostic });
});

test('a warning that a mail is late, and the answer of a person, are no bounces', async () => {
  const late = { ...BOUNCE, status: '4.4.1', diagnostic: 'timed out', action: 'delayed' } as const;
  expect(await read(postfixBounce(late))).toBeUndefined();
  expect(await read('From: a@b.example\r\nSubject: Re: Join us\r\n\r\nI am away.\r\n')).toBeUndefined();
  expect(await read('')).toBeUndefined();
});

test('a report is read when it is cut off, and its words fit on one short line', async () => {
  const whole = postfixBounce({
    ...BOUNCE,
    status: '5.1.1',
    diagnostic: `550 5.1.1 ${'no such mailbox\t '.repeat(200)}`,
  });
  const report = await read(whole.slice(0, whole.indexOf('Hello')));
  expect(report?.messageKeys).toEqual([KEY]);
  expect(report?.fault.words).toHaveLength(300);
  expect(report?.fault.words).not.toMatch(/\s\s|[\t\r\n]/);
});
