import { Button } from '../../../../ui/Button.tsx';
import type { SubjectRequest } from '#contract/calls/subject-requests.ts';
import { formatDate } from '../../../../shared/format.ts';
import { Actions } from '../../../../ui/Actions.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSchool } from '../../../school/school/school.public.ts';
import css from '../SubjectRequestPage.module.css';

/** The paragraphs of a letter or email that acknowledges a complaint. */
const paragraphsOf = ({ requester_name: name, received_on: receivedOn }: SubjectRequest, school: string): string[] => [
  `Dear ${name ?? ''},`,
  `We received your complaint about how we use personal data on ${formatDate(receivedOn)}. Thank you for telling us.`,
  'We will look into it, and may ask you for more information. We will tell you how it is going, and then the outcome and our reasons, as soon as we can.',
  'If you are not content with the outcome, you can complain to the Information Commissioner’s Office: ico.org.uk, telephone 0303 123 1113.',
  school,
];

/** A text to acknowledge a complaint with. */
export function Acknowledgement({ request }: { request: SubjectRequest }) {
  const paragraphs = paragraphsOf(request, useSchool()?.name ?? '');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(paragraphs.join('\n\n'));
      showToast('Copied');
    } catch {
      showToast('Could not copy. Select the text instead.');
    }
  };
  return (
    <>
      <p>Send this by email or on paper, or write your own. Then record it under “Time to answer”.</p>
      <blockquote className={css.letter}>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </blockquote>
      <Actions>
        <Button variant="default" onClick={() => void copy()}>
          Copy the text
        </Button>
      </Actions>
    </>
  );
}
