import type { UnmatchedPayment } from '#contract/calls/unmatched-payments.ts';
import type { UserSession } from '../../../auth/sessions.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import { sendMail } from '../../../mail/mail.ts';
import { NO_PEOPLE } from '../../../mail/outbox.queries.ts';
import { unmatchedPaymentMail } from './unmatched-payments.mail.ts';
import {
  type CardPayment,
  hasUnmatchedPayment,
  insertUnmatchedPayment,
  listUnmatchedPayments,
  type UnmatchedReason,
  updateReconciled,
} from './card-payments.queries.ts';

/** Lists a payment for an operator to reconcile, and emails the support address. */
export async function reportUnmatchedPayment(
  db: PlatformDb,
  payment: CardPayment,
  reason: UnmatchedReason,
  config: Config,
  now: Date,
): Promise<void> {
  await insertUnmatchedPayment(db, { ...payment, reason, received_at: now });
  await sendMail(db, unmatchedPaymentMail(payment, reason, config), NO_PEOPLE, now);
}

/** The payments that wait to be reconciled, as the API returns them. */
export const listPaymentsToReconcile = async (db: PlatformDb): Promise<UnmatchedPayment[]> =>
  (await listUnmatchedPayments(db)).map(
    ({ amount_pence, received_at, reconciled_at: _, reconciled_by: __, ...row }) => ({
      ...row,
      amount: amount_pence,
      received_at: received_at.toISOString(),
    }),
  );

/** Marks a payment as reconciled. Throws `payment_not_found` or `payment_already_reconciled`. */
export async function reconcilePayment(db: PlatformDb, me: UserSession, sessionId: string, now: Date): Promise<void> {
  if (await updateReconciled(db, sessionId, me.userId, now)) return;
  throw new AppError((await hasUnmatchedPayment(db, sessionId)) ? 'payment_already_reconciled' : 'payment_not_found');
}
