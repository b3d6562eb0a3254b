/** What the jobs do, for people; a job without a text is shown by its name. */
const TEXTS: Record<string, string> = {
  backup: 'Nightly backup',
  'billing-reminders': 'Begin reminders about invoices',
  'billing-reminders-of-school': 'Remind a school about an invoice',
  cleaning: 'Forget what has had its time',
  'email-confirmation': 'Confirm an email address',
  'invites-cleaning': 'End invites that were not accepted',
  'hidden-accounts-cleaning': 'Remove accounts that nobody can confirm',
  'login-sheets-cleaning': 'Remove logins that were not fetched',
  'invoice-mail': 'Send an invoice',
  'login-failure': 'Count a failed login',
  mail: 'Send a mail',
  'password-reset': 'Reset pupils’ passwords',
  'password-reset-link': 'Send a link for a forgotten password',
  'weekly-digest': 'Begin the weekly digests',
  'weekly-digest-of-school': 'Send a school’s weekly digest',
};

export const jobText = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return TEXTS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
};
