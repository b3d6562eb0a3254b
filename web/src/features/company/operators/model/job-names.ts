/** Texts for jobs. A job without a text is shown by its name. */
const TEXTS: Record<string, string> = {
  'absent-admins': 'Ask absent admins for a second one',
  'admin-requests': 'Appoint admins whose time has come',
  'audit-heads': 'Compare the audit logs with last night',
  'audit-pruning': 'Delete expired entries of the audit logs',
  'audit-sealing': 'Sign the audit logs',
  backup: 'Nightly backup',
  'billing-reminders': 'Start billing reminders',
  'billing-reminders-of-school': 'Send a school’s billing reminders',
  cleaning: 'Delete expired data',
  'email-confirmation': 'Confirm an email address',
  'erasure-list': 'Record an erasure beside the backups',
  'invoice-mail': 'Send an invoice',
  'login-failure': 'Count a failed login',
  'last-numbers': 'Record the last numbers beside the backups',
  mail: 'Send an email',
  'password-reset': 'Reset pupils’ passwords',
  'password-reset-link': 'Send a link for a forgotten password',
  'restore-test': 'Test a backup by restoring it',
  'weekly-digest': 'Start the weekly digests',
  'weekly-digest-of-school': 'Send a school’s weekly digest',
};

export const jobText = (name: string): string => {
  const words = name.replaceAll('-', ' ');
  return TEXTS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
};
