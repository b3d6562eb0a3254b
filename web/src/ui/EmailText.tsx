import { Fragment } from 'react';

/** An email address that can break after `@`, or after punctuation before it, so that no letter is left alone on a line. */
export function EmailText({ email }: { email: string }) {
  const domain = email.lastIndexOf('@') + 1;
  const parts = email.slice(0, domain).match(/[^._-]+[._-]*|[._-]+/g) ?? [];
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
      {email.slice(domain)}
    </>
  );
}
