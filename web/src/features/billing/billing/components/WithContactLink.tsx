import { Link } from 'react-router';
import { paths } from '../../../../paths.ts';
import { CONTACT_US } from '../../../../shared/error-text.ts';

/** A text in which `Contact us for assistance.` links to the contact request. */
export const WithContactLink = ({ text }: { text: string }) =>
  text.endsWith(CONTACT_US) ? (
    <>
      {text.slice(0, -CONTACT_US.length)}
      <Link to={paths.renewal()}>{CONTACT_US}</Link>
    </>
  ) : (
    text
  );
