import { expect, test } from 'vitest';
import { describeProcessors } from './processors.service.ts';

test('the list of processors names the companies in the settings, and no secrets', () => {
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

test('the list of processors has no names of companies without settings', () => {
  const found = describeProcessors({ smtpUrl: undefined, stripe: undefined, signInProviders: [] });
  expect(found.map(({ name }) => name)).toEqual([null, null]);
});
