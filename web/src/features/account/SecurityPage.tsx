import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { DevicesCard } from '../devices/devices.public.ts';
import { LinkedAccounts } from '../sign-in-providers/sign-in-providers.public.ts';
import { SecondFactors } from '../second-factor/second-factor.public.ts';

/** How the user's own account is protected. */
export default function SecurityPage() {
  return (
    <>
      <PageHeader
        title="Security"
        crumbs={[{ text: 'My details', to: paths.account() }]}
        lead="Check who can use your account."
      />
      <SecondFactors />
      <LinkedAccounts />
      <DevicesCard />
    </>
  );
}
