import type { MailDelivery } from '#contract/mail-delivery.ts';
import { deliveryText } from '../shared/mail-deliveries.ts';

/** What became of an email, below what it was about. */
export function DeliveryLine({
  delivery,
  advice,
}: {
  delivery: Pick<MailDelivery, 'state' | 'reason'> | null | undefined;
  /** What to do about one that did not arrive. */
  advice?: string;
}) {
  const text = delivery && deliveryText(delivery);
  if (!text) return null;
  const hasFailed = delivery.state === 'rejected' || delivery.state === 'bounced';
  return (
    <span className="block soft light">
      {hasFailed ? <strong>{text}</strong> : text}
      {hasFailed && advice && ` ${advice}`}
    </span>
  );
}
