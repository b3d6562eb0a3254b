import { count } from '../../../shared/format.ts';
import { Confirm } from '../../../ui/Confirm.tsx';
import { showToast } from '../../../ui/toasts.ts';
import type { ResetState } from '../login-cards.api.ts';

interface Props {
  /** Who is to get a new password. */
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  onClose: () => void;
  reset: ResetState;
  /** Called once the reset has started. */
  onStarted?: () => void;
}

/** Asks before passwords are reset: the cards that pupils have then no longer work. */
export function ResetPasswords({ pupils, isOpen, onClose, reset, onStarted }: Props) {
  const [only] = pupils;
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={
        pupils.length === 1 && only
          ? `Reset the password of ${only.name}?`
          : `Reset the passwords of ${count(pupils.length, 'pupil')}?`
      }
      action={pupils.length === 1 ? 'Reset password' : 'Reset passwords'}
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
          ? 'The old password ends at once. The new login card appears here, and a link to it comes by email.'
          : 'The old passwords end at once. The new login cards appear here, and a link to them comes by email.'}
      </p>
    </Confirm>
  );
}
