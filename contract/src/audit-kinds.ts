/**
 * Kinds of entries in the audit log, by the names of their actions. The patterns are valid in JavaScript and PostgreSQL.
 * A download is of no other kind, and an action that no pattern matches is about the school.
 */
const PATTERNS = {
  downloads: '_(downloaded|exported|shown)$',
  pupils: '^(pupils?|needs|snooze)_',
  classes: '^(class_|cover_|year_end_|teacher_assigned|assistant_added)',
  books: '^books_',
  staff: '^(admin_|teacher_|role_|invite_|account_)',
  logins: '^(logged_in|login_|passwords?_|impersonation_|support_|sessions?_|program_)',
  billing: '^(trial_|subscription_|custom_package_|invoice_|payment_|school_locked)',
} as const;

export const AUDIT_KINDS = ['pupils', 'classes', 'books', 'staff', 'logins', 'downloads', 'billing', 'school'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Patterns of which an action of this kind matches the first, if any, and not the second. */
export function patternsOf(kind: AuditKind): { has: string; hasNot: string } {
  const others = Object.values(PATTERNS).map((pattern) => `(${pattern})`);
  if (kind === 'school') return { has: '', hasNot: others.join('|') };
  return { has: PATTERNS[kind], hasNot: kind === 'downloads' ? '^$' : PATTERNS.downloads };
}
