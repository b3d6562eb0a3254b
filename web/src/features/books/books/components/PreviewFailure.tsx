import { Button, ButtonAnchor } from '../../../../ui/Button.tsx';
import { FormActions } from '../../../../ui/Form.tsx';
import { Notice } from '../../../../ui/Notice.tsx';

interface Props {
  /** URL of the PDF. */
  address: string;
  onRetry?: () => void;
}

/** Offers the PDF itself: the browser's own viewer may show what ours cannot. */
export const PreviewFailure = ({ address, onRetry }: Props) => (
  <Notice
    kind="error"
    action={
      <FormActions>
        {onRetry && (
          <Button size="sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        <ButtonAnchor size="sm" variant="default" href={address} target="_blank" rel="noopener">
          Open the PDF in a new tab
        </ButtonAnchor>
      </FormActions>
    }
  >
    The preview could not be shown.
  </Notice>
);
