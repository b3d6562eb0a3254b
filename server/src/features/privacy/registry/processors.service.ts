import type { Processor } from '#contract/calls/privacy.ts';
import type { Config } from '../../../config.ts';

/** The companies that process data, as far as the settings name them. Docs: running.md, "Processors". */
export const describeProcessors = ({
  smtpUrl,
  stripe,
  signInProviders,
}: Pick<Config, 'smtpUrl' | 'stripe' | 'signInProviders'>): Processor[] => [
  {
    task: 'Hosting: runs the portal and stores the data and backups',
    data: 'Everything in the list of data',
    name: null,
  },
  {
    task: 'Email: delivers invitations, notices and the weekly digest',
    data: 'Names and addresses of staff; names of pupils in the digest',
    // The host alone: the address may contain a password.
    name: smtpUrl ? new URL(smtpUrl).hostname : null,
  },
  ...(stripe ? [{ task: 'Payments by card', data: 'The invoice and who pays it; no pupils', name: 'Stripe' }] : []),
  ...signInProviders.map(({ name }) => ({
    task: 'Signing in, for staff who linked an account',
    data: 'That the person logs in here',
    name,
  })),
];
