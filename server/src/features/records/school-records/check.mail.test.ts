import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import { expect, test } from 'vitest';
import { checkMail } from './check.mail.ts';

const CONFIG = { productName: 'Storylark', publicUrl: 'https://portal.example' };
const COUNTS = { joiners: 0, movers: 2, returners: 0, names: 0, year_groups: 0, leavers: 0, classes: 1 };
const NO_PLAN = {
  joiners: [],
  returners: [],
  movers: [],
  names: [],
  leavers: [],
  recognised: [],
  questions: [],
  choices: [],
  classes: [],
  missing_staff: [],
};
const mailOf = (outcome: Parameters<typeof checkMail>[2]) => checkMail(CONFIG, 'head@school.example', outcome);

test('the email about changes made counts each kind, and mentions passwords only with new pupils', () => {
  const mail = mailOf({ applied: COUNTS, openPlan: null });
  expect(mail.subject).toBe('School records: changes made');
  expect(mail.text).toContain('as your school allows: 2 changes of class, 1 new class.');
  expect(mail.text).not.toMatch(/password|need your decision/);
  const withJoiner = mailOf({ applied: { ...COUNTS, joiners: 1 }, openPlan: null });
  expect(withJoiner.text).toContain('1 joiner, 2 changes of class, 1 new class.');
  expect(withJoiner.text).toContain('no one has seen their passwords');
});

test('the email about changes to check lists pending changes and does not mention passwords', () => {
  const openPlan = {
    ...NO_PLAN,
    leavers: [{}, {}],
    recognised: [{}],
    questions: [{}],
    missing_staff: [{}],
  } as unknown as SchoolRecordsPlan;
  const mail = mailOf({ applied: null, openPlan });
  expect(mail.subject).toBe('School records: changes to check');
  expect(mail.text).toContain(
    'need your decision: 2 pupils who may have left, 1 recognised pupil, 1 question, 1 member of staff who may have left.',
  );
  expect(mail.text).not.toMatch(/password|made these changes/);
});
