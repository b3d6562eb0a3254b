import { Button } from '../../../../ui/Button.tsx';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useBrowserValue } from '../../../../shared/use-browser-value.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { hasPasskeys, isCancelled } from '../model/passkeys.ts';

interface Props {
  children: string;
  /** Asks for the passkey and uses it. */
  onPress: () => Promise<unknown>;
}

/** Asks the device for a passkey. Absent where the browser has none. */
export function PasskeyButton({ children, onPress }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  // True on the server, so that the page does not shift: every supported browser has passkeys on a secure page.
  const isPossible = useBrowserValue(hasPasskeys, true);
  if (!isPossible) return null;
  const press = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onPress();
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {failure !== null && <ErrorNotice error={failure} />}
      <Button
        className="with-script"
        variant="default"
        fullWidth
        loading={isBusy}
        leftSection={<IconFingerprint size={18} aria-hidden />}
        onClick={() => void press()}
      >
        {children}
      </Button>
    </>
  );
}
