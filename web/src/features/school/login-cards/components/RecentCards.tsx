import { Button } from '../../../../ui/Button.tsx';
import { paths } from '../../../../paths.ts';
import { count, formatTime } from '../../../../shared/format.ts';
import { useUser } from '../../../../shared/session.ts';
import { ButtonLink } from '../../../../ui/ButtonLink.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { forgetRecentCards, useRecentCards } from '../model/recent-cards.ts';

/**
 * Links back to login cards that were made in this browser and not hidden yet: the newest, or the newest for one of
 * these pupils.
 */
export function RecentCards({ pupilIds }: { pupilIds?: readonly number[] }) {
  const recent = useRecentCards(useUser().id);
  const cards = recent.find(({ pupilIds: made }) => !pupilIds || made.some((id) => pupilIds.includes(id)));
  if (!cards) return null;
  const isOne = cards.pupilIds.length === 1;
  return (
    <Notice
      title={
        isOne ? 'You made a new login card' : `You made new login cards for ${count(cards.pupilIds.length, 'pupil')}`
      }
      action={
        <>
          <ButtonLink to={paths.logins(cards.resetId)} size="sm">
            {isOne ? 'Show the card' : 'Show the cards'}
          </ButtonLink>
          <Button size="sm" variant="default" onClick={() => forgetRecentCards(cards.resetId)}>
            Hide
          </Button>
        </>
      }
    >
      At {formatTime(new Date(cards.at).toISOString())}. Only you can view and print it, until this time tomorrow.
    </Notice>
  );
}
