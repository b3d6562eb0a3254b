import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { paths } from '../../paths.ts';
import { parseId } from '../../shared/parse-id.ts';
import { useSchoolId } from '../../shared/session.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { ButtonLink } from '../../ui/ButtonLink.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { billingContactQuery, packageQuery } from './billing.api.ts';
import { BillingForm } from './components/BillingForm.tsx';
import { WithContactLink } from './components/WithContactLink.tsx';
import { refusalText } from './model/package-texts.ts';

/** Who gets the invoice for the package that was chosen; then all of it once more, before it is bought. */
export default function FillBillingDetailsPage() {
  const [query] = useSearchParams();
  const packageId = parseId(query.get('package'));
  if (packageId === undefined) return <Navigate to={paths.selectSubscription()} replace />;
  return <Details key={packageId} packageId={packageId} />;
}

function Details({ packageId }: { packageId: number }) {
  const schoolId = useSchoolId();
  const chosen = useQuery(packageQuery(schoolId, packageId));
  const contact = useQuery(billingContactQuery(schoolId));
  const error = chosen.error ?? contact.error;
  const offer = chosen.data?.package;
  const refusal =
    offer && (offer.meta.refusal === 'already_subscribed' ? 'Your school has this package.' : refusalText(offer));
  return (
    <>
      {(!offer || !contact.data || refusal) && <PageHeader title="Billing details" />}
      {error && <ErrorNotice error={error} />}
      {refusal && (
        <Notice kind="warning">
          <WithContactLink text={refusal} />
        </Notice>
      )}
      {(error || refusal) && <ButtonLink to={paths.selectSubscription()}>Choose a package</ButtonLink>}
      {!error && !refusal && offer && contact.data && (
        <BillingForm offer={offer} contact={contact.data.billing_address ?? undefined} />
      )}
      {!error && (!offer || !contact.data) && <PageSkeleton rows={8} />}
    </>
  );
}
