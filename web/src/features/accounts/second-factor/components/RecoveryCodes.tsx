import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import css from './SecondFactors.module.css';

interface Props {
  /** Open while there are some. */
  codes: readonly string[] | null;
  /** The address of the account. */
  email: string;
  onClose: () => void;
}

/** New recovery codes, which are shown once. Closes only by its button, so that they are not lost by accident. */
export function RecoveryCodes({ codes, email, onClose }: Props) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText((codes ?? []).join('\n'));
      showToast('Codes copied');
    } catch {
      showToast('Your browser did not copy them. Select them and copy them yourself.');
    }
  };
  return (
    <Dialog isOpen={codes !== null} onClose={onClose} title="Your recovery codes" canClose={false}>
      <div data-printed-alone>
        <p>
          <strong>Recovery codes of {email}</strong>
        </p>
        <p>
          Each code logs you in once, if you do not have your phone or your passkey. We show them only now. Print them,
          or keep them where you keep your passwords.
        </p>
        <ol className={`tiled ${css.printed}`}>
          {codes?.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
      </div>
      <DialogButtons>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button variant="default" onClick={() => void copy()}>
          Copy
        </Button>
        <Button onClick={onClose}>I have kept them</Button>
      </DialogButtons>
    </Dialog>
  );
}
