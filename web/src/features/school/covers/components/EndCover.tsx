import type { Cover } from '#contract/calls/covers.ts';
import { fullName } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useEndCover } from '../covers.api.ts';

interface Props {
  /** The cover to end; null while the dialog is closed. */
  cover: Cover | null;
  onClose: () => void;
}

/** Asks before a cover is ended. */
export function EndCover({ cover, onClose }: Props) {
  const end = useEndCover(useSchoolId());
  const name = cover ? fullName(cover.user) : '';
  return (
    <Confirm
      isOpen={cover !== null}
      onClose={onClose}
      title={`End the cover of ${cover?.group.name ?? ''} by ${name}?`}
      action="End cover"
      lost="The cover has not ended."
      onConfirm={async () => {
        if (!cover) return;
        await end.mutateAsync(cover.id);
        showToast('The cover has ended', { detail: `${name}: ${cover.group.name}` });
      }}
    >
      <p>
        {cover?.is_supply
          ? `${name} is logged out at once, and their card no longer works.`
          : `${name} can no longer make login cards for its pupils, correct their names or move them.`}
      </p>
    </Confirm>
  );
}
