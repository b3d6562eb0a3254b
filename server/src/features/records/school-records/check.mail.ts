import type { Run } from '#contract/calls/runs.ts';
import type { SchoolRecordsPlan } from '#contract/calls/school-records.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

type MailConfig = Pick<Config, 'productName' | 'publicUrl'>;

const inWords = (parts: readonly (readonly [number, string, string])[]): string =>
  parts
    .flatMap(([number, singular, plural]) => (number > 0 ? [`${number} ${number === 1 ? singular : plural}`] : []))
    .join(', ');

const describeApplied = ({ joiners, movers, classes }: NonNullable<Run['counts']>): string =>
  inWords([
    [joiners, 'joiner', 'joiners'],
    [movers, 'change of class', 'changes of class'],
    [classes, 'new class', 'new classes'],
  ]);

const describePlan = (plan: SchoolRecordsPlan): string =>
  inWords([
    [plan.joiners.length, 'joiner', 'joiners'],
    [plan.returners.length, 'pupil back', 'pupils back'],
    [plan.movers.length, 'change of class', 'changes of class'],
    [plan.names.length, 'change of name', 'changes of name'],
    [plan.leavers.length, 'pupil who may have left', 'pupils who may have left'],
    [plan.recognised.length, 'recognised pupil', 'recognised pupils'],
    [plan.questions.length + plan.choices.length, 'question', 'questions'],
    [plan.classes.length, 'new or renamed class', 'new or renamed classes'],
    [plan.missing_staff.length, 'member of staff who may have left', 'members of staff who may have left'],
  ]);

/** What a nightly check did and what it leaves to an admin. It has numbers only, because it is read anywhere. */
export function checkMail(
  { productName, publicUrl }: MailConfig,
  recipient: string,
  { applied, openPlan }: { applied: Run['counts']; openPlan: SchoolRecordsPlan | null },
): Mail {
  const title = openPlan ? 'School records: changes to check' : 'School records: changes made';
  return renderEmail(productName, {
    kind: 'school_records_check',
    recipient,
    subject: title,
    title,
    paragraphs: [
      ...(applied ? [`The nightly check made these changes, as your school allows: ${describeApplied(applied)}.`] : []),
      ...(applied && applied.joiners > 0
        ? ['The new pupils have usernames, but no one has seen their passwords. Reset them to make login cards.']
        : []),
      ...(openPlan
        ? [
            `The nightly check found changes that need your decision: ${describePlan(openPlan)}.`,
            'Nothing changes until an admin applies them.',
          ]
        : []),
    ],
    action: { label: 'Open School records', url: `${publicUrl}/school/records` },
    closing: ['You can undo applied changes for 30 days.'],
  });
}

/** The nightly check failed. */
export const failureMail = ({ productName, publicUrl }: MailConfig, recipient: string, failure: string): Mail =>
  renderEmail(productName, {
    kind: 'school_records_check',
    recipient,
    subject: 'School records could not be checked',
    title: 'School records could not be checked',
    paragraphs: ['We could not read your management information system last night, so nothing was changed.', failure],
    action: { label: 'Open School records', url: `${publicUrl}/school/records` },
    closing: ['We try again every night. We email you about this only once, until a check has worked again.'],
  });
