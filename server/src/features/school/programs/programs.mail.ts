import { DAYS_TO_CONFIRM_PROGRAM } from '#contract/programs.ts';
import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';

interface ProgramsMail<Program> {
  recipient: string;
  firstName: string;
  school: string;
  timeZone: string;
  programs: readonly Program[];
}

const formatDay = (day: Date, timeZone: string): string =>
  day.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone });

/** Asks an admin to confirm programs whose own admin is no longer one. */
export function confirmProgramsMail(
  { productName, publicUrl }: Config,
  { recipient, firstName, school, timeZone, programs }: ProgramsMail<{ name: string; admin: string; endsAt: Date }>,
): Mail {
  const isOne = programs.length === 1;
  return renderEmail(productName, {
    kind: 'programs',
    recipient,
    subject: `Does ${school} still need ${isOne ? 'this program' : 'these programs'}? – ${productName}`,
    title: `Does ${school} still need ${isOne ? 'this program' : 'these programs'}?`,
    paragraphs: [
      `Hello ${firstName},`,
      `The admin who answered for ${isOne ? 'a program' : 'these programs'} that ${isOne ? 'uses' : 'use'} the data of ${school} is no longer an admin. ${isOne ? 'It ends' : 'They end'} in ${DAYS_TO_CONFIRM_PROGRAM} days, unless you or another admin confirm ${isOne ? 'it' : 'them'}.`,
    ],
    facts: programs.map(({ name, admin, endsAt }) => [
      name,
      `answered for by ${admin}, ends on ${formatDay(endsAt, timeZone)}`,
    ]),
    action: { label: 'Go to programs', url: `${publicUrl}/school` },
    closing: ['If you do not know what it is for, let it end, or revoke it now.'],
  });
}

/** Tells an admin that the tokens of programs end soon. */
export function programsEndMail(
  { productName, publicUrl }: Config,
  { recipient, firstName, school, timeZone, programs }: ProgramsMail<{ name: string; endsAt: Date }>,
): Mail {
  const isOne = programs.length === 1;
  return renderEmail(productName, {
    kind: 'programs',
    recipient,
    subject: `The token of ${isOne ? 'a program' : 'programs'} of ${school} ends soon – ${productName}`,
    title: `The token of ${isOne ? 'a program' : 'programs'} ends soon`,
    paragraphs: [
      `Hello ${firstName},`,
      `After the day below, ${isOne ? 'this program' : 'each of these programs'} can no longer use the data of ${school}. If it is still needed, add it again under School, and give its new token to the person who looks after it.`,
    ],
    facts: programs.map(({ name, endsAt }) => [name, formatDay(endsAt, timeZone)]),
    action: { label: 'Go to programs', url: `${publicUrl}/school` },
  });
}
