import { Button } from './Button.tsx';
import type { DraftOffer } from '../shared/drafts.ts';
import { Notice } from './Notice.tsx';

/** Offers what the user had typed on this page when their session ended. */
export const DraftNotice = ({ offer }: { offer: DraftOffer | null }) =>
  offer && (
    <Notice
      title="We kept what you typed before your session ended"
      action={
        <>
          <Button size="sm" onClick={offer.use}>
            Use it
          </Button>
          <Button size="sm" variant="default" onClick={offer.discard}>
            Delete it
          </Button>
        </>
      }
    >
      Passwords and files are not kept.
    </Notice>
  );
