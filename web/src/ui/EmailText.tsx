/** An e-mail address that breaks after its `@` where it must break: not one letter alone on the next line. */
export function EmailText({ email }: { email: string }) {
  const domain = email.lastIndexOf('@') + 1;
  return (
    <>
      {email.slice(0, domain)}
      <wbr />
      {email.slice(domain)}
    </>
  );
}
