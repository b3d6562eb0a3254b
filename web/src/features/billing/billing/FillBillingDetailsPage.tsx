import { Navigate, useSearchParams } from '../../../shared/router.ts';
import { paths } from '../../../paths.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../shared/use-prefetched-query.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { billingContactQuery, packageQuery } from './billing.api.ts';
import { BillingForm } from './components/BillingForm.tsx';
import { PackageRefusal } from './components/PackageRefusal.tsx';

/** The billing details for the chosen package, then a page to check and confirm. */
export default function FillBillingDetailsPage() {
  const [query] = useSearchParams();
  const packageId = parseId(query.get('package'));
  if (packageId === undefined) return <Navigate to={paths.selectSubscription()} replace />;
  return <Details key={packageId} packageId={packageId} />;
}

function Details({ packageId }: { packageId: number }) {
  const schoolId = useSchoolId();
  // Refetching on focus would reset the form. Continue fetches the current price.
  const chosen = usePrefetchedQuery({ ...packageQuery(schoolId, packageId), refetchOnWindowFocus: false });
  const contact = usePrefetchedQuery(billingContactQuery(schoolId));
  const error = chosen.error ?? contact.error;
  const offer = chosen.data?.package;
  const refusal = offer?.meta.refusal;
  return (
    <>
      {(!offer || !contact.data || refusal) && <PageHeader title="Billing details" />}
      {error && <ErrorNotice error={error} />}
      {refusal && (
        <Notice kind="warning">
          <PackageRefusal offer={offer} />
        </Notice>
      )}
      {(error || refusal) && <ButtonLink to={paths.selectSubscription()}>Choose a package</ButtonLink>}
      {!error && !refusal && offer && contact.data && (
        <BillingForm offer={offer} contact={contact.data.billing_address ?? undefined} />
      )}
    </>
  );
}
