import type { RosterPlan, RosterRun } from '#contract/calls/roster.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

type MailConfig = Pick<Config, 'productName' | 'publicUrl'>;

const inWords = (parts: readonly (readonly [number, string, string])[]): string =>
  parts.flatMap(([number, one, many]) => (number > 0 ? [`${number} ${number === 1 ? one : many}`] : [])).join(', ');

const describeApplied = ({ joiners, movers, classes }: NonNullable<RosterRun['counts']>): string =>
  inWords([
    [joiners, 'joiner', 'joiners'],
    [movers, 'change of class', 'changes of class'],
    [classes, 'new class', 'new classes'],
  ]);

const describeProposed = (plan: RosterPlan): string =>
  inWords([
    [plan.joiners.length, 'joiner', 'joiners'],
    [plan.returners.length, 'pupil back', 'pupils back'],
    [plan.movers.length, 'change of class', 'changes of class'],
    [plan.names.length, 'change of name', 'changes of name'],
    [plan.leavers.length, 'pupil who may have left', 'pupils who may have left'],
    [plan.questions.length + plan.choices.length, 'question', 'questions'],
    [plan.classes.length, 'new or renamed class', 'new or renamed classes'],
  ]);

/** What a nightly check did and what it leaves to an admin. It has numbers only, because it is read anywhere. */
export function checkMail(
  { productName, publicUrl }: MailConfig,
  recipient: string,
  { applied, proposed }: { applied: RosterRun['counts']; proposed: RosterPlan | null },
): Mail {
  const title = proposed ? 'School records: changes to check' : 'School records: changes made';
  return renderEmail(productName, {
    kind: 'records_check',
    recipient,
    subject: title,
    title,
    paragraphs: [
      ...(applied ? [`The nightly check made these changes, as your school allows: ${describeApplied(applied)}.`] : []),
      ...(applied && applied.joiners > 0
        ? ['The new pupils have usernames, but no one has seen their passwords. Reset them to make login cards.']
        : []),
      ...(proposed
        ? [
            `The nightly check found changes that wait for you: ${describeProposed(proposed)}.`,
            'Nothing happens to them until an admin accepts.',
          ]
        : []),
    ],
    action: { label: 'Open School records', url: `${publicUrl}/school/records` },
    closing: ['You can undo accepted changes for 30 days.'],
  });
}

/** The nightly check failed. */
export const failureMail = ({ productName, publicUrl }: MailConfig, recipient: string, failure: string): Mail =>
  renderEmail(productName, {
    kind: 'records_check',
    recipient,
    subject: 'School records could not be checked',
    title: 'School records could not be checked',
    paragraphs: ['We could not read your management information system last night, so nothing was changed.', failure],
    action: { label: 'Open School records', url: `${publicUrl}/school/records` },
    closing: ['We try again every night. We email you about this only once, until a check has worked again.'],
  });
