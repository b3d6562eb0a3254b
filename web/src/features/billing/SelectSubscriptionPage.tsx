import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../paths.ts';
import { can } from '../../shared/can.ts';
import { PRODUCT_NAME } from '../../shared/product.ts';
import { useSchoolId, useUser } from '../../shared/session.ts';
import { useIsAbroad } from '../../shared/time-zone.ts';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { FormActions } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { schoolQuery } from '../school/school.public.ts';
import { ContactRequestForm } from './components/ContactRequestForm.tsx';
import { PackageSelector } from './components/PackageSelector.tsx';

/** The choice of a package: for a school that has none, that had one, or that wants a larger one. */
export default function SelectSubscriptionPage() {
  const user = useUser();
  const school = useQuery(schoolQuery(useSchoolId())).data?.enterprise;
  const [query] = useSearchParams();
  const hasEntry = query.get('show_sp_link') !== 'false' && school?.access === 'open';
  const isExpired = school?.access === 'expired';
  const isManager = can(user, 'manage_subscription', school);
  if (!school) return <PageSkeleton rows={6} />;
  const title = isExpired ? 'Your subscription has expired' : 'Choose a package';
  return (
    <div data-wide>
      <PageHeader title={title} lead={leadOf(school, isManager)} />
      {isManager ? (
        <Offer isNew={school.subscription === null} />
      ) : (
        <Notice kind="warning">
          {isExpired ? 'To renew the subscription' : 'To start a subscription'}, please speak to your school
          administrator.
        </Notice>
      )}
      <FormActions>
        {hasEntry && (
          <ButtonLink to={paths.dashboard()} variant="default">
            Enter School Portal
          </ButtonLink>
        )}
        <ButtonLink to={paths.account()} variant="default">
          Your account
        </ButtonLink>
        <ButtonLink to={paths.logout()} variant="default">
          Log out
        </ButtonLink>
      </FormActions>
    </div>
  );
}

function leadOf({ access, name, subscription }: School, isManager: boolean): string {
  const kept = 'Nothing is deleted: classes, pupils and what they have read stay as they are.';
  if (access === 'expired') return isManager ? `Choose a package to go on. ${kept}` : kept;
  if (subscription) return `For ${name}, which has ${subscription.title || 'a custom package'} now.`;
  return isManager
    ? `For ${name}. You can try ${PRODUCT_NAME} free for 30 days first.`
    : `${name} has no subscription yet.`;
}

/** Visitors elsewhere in the world are called back instead of choosing their first package. */
function Offer({ isNew }: { isNew: boolean }) {
  const isAbroad = useIsAbroad();
  if (!isNew || !isAbroad) return <PackageSelector heading="h2" />;
  return (
    <>
      <p>Outside the United Kingdom we set {PRODUCT_NAME} up together with you. Tell us when we may contact you.</p>
      <ContactRequestForm action="start" />
    </>
  );
}
