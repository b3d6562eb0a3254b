import { useEffect, useState } from 'react';
import { useSearchParams } from '../../../../shared/router.ts';
import { useUpdateSearchParams } from '../../../../shared/use-update-search-params.ts';
import { DisabledReasonButton } from '../../../../ui/DisabledReasonButton.tsx';
import { ResetPasswords } from './ResetPasswords.tsx';

/** RESET PASSWORD on a pupil's page, and its dialog, which other pages open with `?card=new`. */
export function ResetPasswordButton({ pupil }: { pupil: { id: number; name: string } }) {
  const [query] = useSearchParams();
  const update = useUpdateSearchParams();
  const [isOpen, setOpen] = useState(false);
  const [hasReset, setReset] = useState(false);
  const isRequestedByUrl = query.get('card') === 'new';
  useEffect(() => {
    if (!isRequestedByUrl) return;
    setOpen(true);
    update({ card: null }, { replace: true });
  }, [isRequestedByUrl, update]);
  return (
    <>
      <DisabledReasonButton
        variant="default"
        disabledReason={hasReset ? 'You have just reset it. Reload the page to reset it again.' : undefined}
        onClick={() => setOpen(true)}
      >
        RESET PASSWORD
      </DisabledReasonButton>
      <ResetPasswords
        pupils={[pupil]}
        isOpen={isOpen}
        onClose={(isDone) => {
          setOpen(false);
          if (isDone) setReset(true);
        }}
      />
    </>
  );
}
