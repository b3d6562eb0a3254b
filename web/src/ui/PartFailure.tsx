import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';

/** In place of a part of the page that threw, or whose script did not load. */
export const PartFailure = () => (
  <Notice
    kind="error"
    action={
      <Button size="sm" variant="default" onClick={() => window.location.reload()}>
        Reload the page
      </Button>
    }
  >
    We could not show this. Everything you saved is safe.
  </Notice>
);
