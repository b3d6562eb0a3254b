import { paths } from '../../../paths.ts';
import { useUser } from '../../../shared/session.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { DevicesCard } from '../devices/devices.public.ts';
import { LinkedAccounts } from '../sign-in-providers/sign-in-providers.public.ts';
import { SecondFactors } from '../second-factor/second-factor.public.ts';

/** How the user's own account is protected. */
export default function SecurityPage() {
  const user = useUser();
  return (
    <>
      <PageHeader
        title="Security"
        crumbs={[{ text: 'My details', to: paths.account() }]}
        lead="Check who can use your account."
      />
      {user.impersonated_by ? (
        <p>Only the owner of this account can see this.</p>
      ) : (
        <>
          {user.email_confirmation_due_at && (
            <Notice title="Confirm your email address first">
              <p>
                You can add a second factor or link another account once you have opened the link in the email we sent
                to {user.email}.
              </p>
            </Notice>
          )}
          <SecondFactors />
          <LinkedAccounts />
          <DevicesCard />
        </>
      )}
    </>
  );
}
