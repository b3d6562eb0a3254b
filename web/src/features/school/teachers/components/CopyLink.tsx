import { Button } from '../../../../ui/Button.tsx';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';

/** Copies the link of an invitation. If the browser does not allow that, shows the link to be copied by hand. */
export function CopyLink({ email, link }: { email: string; link: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setState('copied');
    } catch {
      setState('failed');
    }
  };
  if (state === 'failed') return <code>{link}</code>;
  return (
    <Button
      variant="default"
      size="compact-md"
      leftSection={state === 'copied' ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      aria-label={`Copy the link for ${email}`}
      onClick={() => void copy()}
    >
      {state === 'copied' ? 'Copied' : 'Copy link'}
    </Button>
  );
}
