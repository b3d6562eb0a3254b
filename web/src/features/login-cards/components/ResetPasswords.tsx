import { count } from '../../../shared/format.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import type { ResetState } from '../login-cards.api.ts';

interface Props {
  /** The pupils who get a new password. */
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
  reset: ResetState;
  /** Called once the reset has started. */
  onStarted?: () => void;
}

/** Asks before passwords are reset, because the pupils' current cards will no longer work. */
export function ResetPasswords({ pupils, isOpen, onClose, reset, onStarted }: Props) {
  const [only] = pupils;
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={
        pupils.length === 1 && only
          ? `New login card for ${only.name}?`
          : `New login cards for ${count(pupils.length, 'pupil')}?`
      }
      action={pupils.length === 1 ? 'Make new card' : 'Make new cards'}
      lost="No password has been reset."
      onConfirm={async () => {
        await reset.start(pupils.map(({ id }) => id));
        showToast(
          pupils.length === 1
            ? "The pupil's password is being reset and new login information will arrive by email shortly."
            : "The pupils' passwords are being reset and new login information will arrive by email shortly.",
          { detail: pupils.length === 1 && only ? only.name : count(pupils.length, 'pupil') },
        );
        onStarted?.();
      }}
    >
      <p>
        {pupils.length === 1
          ? 'The old password ends at once. The new login card will appear here, and we’ll email you a link to it.'
          : 'The old passwords end at once. The new login cards will appear here, and we’ll email you a link to them.'}
      </p>
    </Confirm>
  );
}
