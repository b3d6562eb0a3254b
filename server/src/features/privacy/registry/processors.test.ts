import { expect, test } from 'vitest';
import { describeProcessors } from './processors.service.ts';

test('names the companies that the settings name, and nothing secret of them', () => {
  const provider = {
    id: 'microsoft',
    kind: 'microsoft',
    name: 'Microsoft',
    issuer: 'i',
    clientId: 'c',
    clientSecret: 's3cret',
  };
  const found = describeProcessors({
    smtpUrl: 'smtps://user:s3cret@smtp.mail.example:465',
    stripe: { secretKey: 's3cret' } as never,
    signInProviders: [provider as never],
  });
  expect(found.map(({ name }) => name)).toEqual([null, 'smtp.mail.example', 'Stripe', 'Microsoft']);
  expect(JSON.stringify(found)).not.toMatch(/s3cret|user/);
});

test('without such settings hosting and email have no name', () => {
  const found = describeProcessors({ smtpUrl: undefined, stripe: undefined, signInProviders: [] });
  expect(found.map(({ name }) => name)).toEqual([null, null]);
});
