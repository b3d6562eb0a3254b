import { expect, test } from 'vitest';
import { z } from 'zod';
import { api } from './api.ts';
import { type Call, defineCalls, errorsOf, isProofNeeded } from './call.ts';

const calls = Object.values<Call>(api);
const file = {
  method: 'GET',
  path: '/reports',
  tag: 'Tests',
  summary: 'A report',
  permission: 'user',
  files: ['application/pdf'],
} as const;

test('a call with files declares that it needs a proof, or why it needs none', () => {
  const withFiles = calls.filter(({ files }) => files.length > 0);
  expect(withFiles.length).toBeGreaterThan(20);
  const isDeclared = ({ needsProof, noProof }: Call) =>
    needsProof !== undefined || (noProof ?? '').length >= 'Public.'.length;
  expect(withFiles.filter((call) => !isDeclared(call)).map(({ name }) => name)).toEqual([]);
  expect(calls.filter(({ needsProof, noProof }) => needsProof && noProof).map(({ name }) => name)).toEqual([]);
  // @ts-expect-error Without either it does not compile.
  defineCalls({ getReport: file });
});

test('these calls return files without a proof', () => {
  const open = calls.filter(({ files, needsProof }) => files.length > 0 && !needsProof);
  expect(open.map(({ name }) => name).sort()).toEqual([
    'getCertificate',
    'getChart',
    'getErasureReceipt',
    'getFile',
    'getHostedInvoice',
    'getPupilProgress',
    'getReadingSummary',
    'getTemplate',
    'getUserGuide',
    'listHardWords',
    'listPupilWords',
    'renderCertificates',
  ]);
});

test('a call that needs a proof for a file alone needs none for JSON', () => {
  const call = { needsProof: 'file' } as const;
  expect([{}, { output: 'json' }].map((query) => isProofNeeded(call, query))).toEqual([false, false]);
  const others = [{ output: 'pdf' }, { output: '' }, { output: ['json', 'pdf'] }];
  expect(others.map((query) => isProofNeeded(call, query))).toEqual([true, true, true]);
  expect([isProofNeeded({ needsProof: true }, { output: 'json' }), isProofNeeded({}, { output: 'pdf' })]).toEqual([
    true,
    false,
  ]);
});

test('a call that needs a proof for a file alone cannot be declared without an output', () => {
  expect(() => defineCalls({ getReport: { ...file, needsProof: 'file', noViews: 'A test.' } })).toThrow(
    'takes no output',
  );
  const query = z.object({ output: z.enum(['json', 'pdf']).default('json') });
  const { getReport } = defineCalls({ getReport: { ...file, needsProof: 'file', noViews: 'A test.', query } });
  expect(errorsOf(getReport)).toContain('proof_required');
});
