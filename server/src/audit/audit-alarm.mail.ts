import { renderEmail } from '../mail/layout.ts';
import type { Mail } from '../mail/outbox.queries.ts';

interface AuditAlarms {
  recipient: string;
  firstName: string;
  publicUrl: string;
  alarms: readonly { school_id: number; breach: string }[];
}

/** Tells an operator which schools' audit logs were changed outside the portal. */
export const auditAlarmMail = (product: string, { recipient, firstName, publicUrl, alarms }: AuditAlarms): Mail =>
  renderEmail(product, {
    kind: 'audit_alarm',
    recipient,
    subject: `The audit log of ${alarms.length === 1 ? 'a school does' : `${alarms.length} schools do`} not match its signature`,
    title: 'An audit log may have been changed outside the portal',
    paragraphs: [
      `Hello ${firstName},`,
      `${product} has stopped signing the audit logs below, because they are not as it wrote them. Their schools can go on working.`,
    ],
    facts: alarms.map(({ school_id: id, breach }) => [`School ${id}`, breach] as const),
    action: { label: 'Show background work', url: `${publicUrl}/admin/background-work` },
    closing: [
      'Check first that every process has the same SECRETS_KEY. Then run npm run verify-audit, and compare with the copy of audit-heads.txt that is stored off-site.',
      'You get this email once a day for each school until its log matches again.',
    ],
  });
