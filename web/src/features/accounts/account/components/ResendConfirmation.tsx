import { Button } from '../../../../ui/Button.tsx';
import { useResendConfirmation } from '../account.api.ts';
import { announce } from '../../../../shared/announcements.ts';

/** Sends the confirmation link again, once per page. Shows the error if that fails. */
export function ResendConfirmation() {
  const resend = useResendConfirmation();
  return (
    <span className="links">
      <Button
        variant="default"
        size="compact-md"
        loading={resend.isPending}
        disabled={resend.isSuccess}
        onClick={() => resend.mutate(undefined, { onSuccess: () => announce('Sent again') })}
      >
        {resend.isSuccess ? 'Sent again' : 'Send again'}
      </Button>
      {resend.error && <span role="alert">{resend.error.message}</span>}
    </span>
  );
}
