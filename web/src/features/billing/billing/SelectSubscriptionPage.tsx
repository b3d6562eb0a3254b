import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from '../../../shared/router.ts';
import type { School } from '#contract/calls/school.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { PRODUCT_NAME } from '../../../shared/product.ts';
import { useSchoolId, useUser } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { useIsOutsideUk } from '../../../shared/time-zone.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { schoolQuery } from '../../school/school/school.public.ts';
import { SpeakToAdmin } from '../../school/succession/succession.public.ts';
import { packagesQuery } from './billing.api.ts';
import { ContactWays } from './components/ContactWays.tsx';
import { LeaveButtons } from './components/LeaveButtons.tsx';
import css from './SubscriptionPage.module.css';
import { PackageChoice } from './components/PackageChoice.tsx';
import { StillOpen } from './components/StillOpen.tsx';

/** The packages, for schools without a subscription, after one, or with one to change. */
export default function SelectSubscriptionPage() {
  const user = useUser();
  const schoolId = useSchoolId();
  const result = usePrefetchedQuery(schoolQuery(schoolId));
  const school = result.data?.enterprise;
  const [query] = useSearchParams();
  const hasEntry = query.get('show_sp_link') !== 'false' && school?.access === 'open';
  const isExpired = school?.access === 'expired';
  const canManage = can(user, 'manage_subscription', school);
  const isAbroad = useIsOutsideUk();
  const packages = useQuery({ ...packagesQuery(schoolId), enabled: canManage }).data?.packages;
  const hasTrial = !isAbroad && packages?.some(({ is_trial, meta }) => is_trial && meta.refusal === null) === true;
  if (!school) return <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />;
  const title = isExpired ? 'Your subscription has expired' : 'Choose a package';
  return (
    <div data-wide>
      <PageHeader title={title} lead={leadOf(school, canManage, hasTrial)} />
      {canManage ? (
        <PackageChoice heading="h2" isNew={school.subscription === null} />
      ) : (
        <Notice kind="warning">
          <SpeakToAdmin what={isExpired ? 'To renew the subscription' : 'To start a subscription'} />
        </Notice>
      )}
      <FormActions>
        {hasEntry && (
          <ButtonLink to={paths.dashboard()} variant="default">
            Enter School Portal
          </ButtonLink>
        )}
        <LeaveButtons />
      </FormActions>
      {school.access !== 'open' && (
        <div className={css.parts}>
          {canManage && <ContactWays id="reach-us" />}
          {(isExpired || !canManage) && <StillOpen />}
        </div>
      )}
    </div>
  );
}

function leadOf({ access, name, subscription }: School, canManage: boolean, hasTrial: boolean): string {
  if (access === 'expired') return canManage ? 'Choose a package to continue. Nothing has been deleted.' : '';
  if (subscription) return `For ${name}. Your current package is ${subscription.title || 'a custom package'}.`;
  if (!canManage) return `${name} has no subscription yet.`;
  return hasTrial ? `For ${name}. You can try ${PRODUCT_NAME} free for 30 days first.` : `For ${name}.`;
}
