import { paths } from '../../paths.ts';
import { useUser } from '../../shared/session.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { DevicesCard } from '../devices/devices.public.ts';
import { LinkedAccounts } from '../sign-in-providers/sign-in-providers.public.ts';
import { SecondFactors } from '../second-factor/second-factor.public.ts';

/** How the user's own account is protected. */
export default function SecurityPage() {
  const isSupport = Boolean(useUser().impersonated_by);
  return (
    <>
      <PageHeader
        title="Security"
        crumbs={[{ text: 'My details', to: paths.account() }]}
        lead="Check who can use your account."
      />
      {isSupport ? (
        <p>Only the owner of this account can see this.</p>
      ) : (
        <>
          <SecondFactors />
          <LinkedAccounts />
          <DevicesCard />
        </>
      )}
    </>
  );
}
