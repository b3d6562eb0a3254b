import { useEffect, useRef } from 'react';
import { Button } from '../../../../ui/Button.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import css from './Programs.module.css';

/** The token of a new program, which is shown once. */
export function ProgramToken({ token, onClose }: { token: string; onClose: () => void }) {
  const copyButton = useRef<HTMLButtonElement>(null);
  // The button that made the program had the focus, and has gone.
  useEffect(() => copyButton.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      showToast('Token copied');
    } catch {
      showToast('Your browser did not copy it. Select the token and copy it yourself.');
    }
  };
  return (
    <>
      <p>
        Copy the token into the program now. We do not show it again. If it is lost, revoke the program and add it
        again. Treat it like a password: with it, anyone can do what you chose here.
      </p>
      <code className={css.token}>{token}</code>
      <p>
        For programmers, the{' '}
        <a href="/v1/docs" target="_blank" rel="noopener">
          API reference
        </a>{' '}
        describes every call. It opens in a new tab.
      </p>
      <DialogButtons>
        <Button ref={copyButton} variant="default" onClick={() => void copy()}>
          Copy
        </Button>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </>
  );
}
