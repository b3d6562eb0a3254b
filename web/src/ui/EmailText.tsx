import { Fragment } from 'react';

/** An e-mail address that breaks after its `@` where it must break, else after a point: not one letter alone on the next line. */
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
